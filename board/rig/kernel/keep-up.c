/*
 * Lets the rig's machine be suspended: its root is the host's, over virtio, and Linux's driver for that does not survive
 * being suspended. The devices that QEMU serves over virtio stay as they are meanwhile. And the clock's interrupt wakes
 * the machine: on a real one ACPI does that, which QEMU leaves out in the lightest state.
 */
#include <linux/device.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/pci.h>

static int __init start(void)
{
	const unsigned int clock_interrupt = 8;
	struct pci_dev *device = NULL;

	while ((device = pci_get_device(PCI_VENDOR_ID_REDHAT_QUMRANET, PCI_ANY_ID, device)))
		dev_pm_syscore_device(&device->dev, true);
	return irq_set_irq_wake(clock_interrupt, 1);
}

static void __exit stop(void)
{
}

module_init(start);
module_exit(stop);
MODULE_DESCRIPTION("Leaves virtio devices out of a suspension");
MODULE_LICENSE("GPL");
