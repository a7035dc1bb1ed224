/*
 * Keeps the rig's clock from running away from the host. That clock is QEMU's: it counts instructions, and jumps to the
 * next timer while the processor sleeps. Host operations such as reading a file would seem to take minutes. So every
 * millisecond of the rig costs the host some time: a write to port 0x80, which does nothing, takes it 50 nanoseconds,
 * and the rig's processor a few instructions; 4000 of them make a second of the rig take at least a fifth of a second.
 */
#include <linux/hrtimer.h>
#include <linux/io.h>
#include <linux/module.h>

static unsigned int writes = 4000;
module_param(writes, uint, 0644);
MODULE_PARM_DESC(writes, "writes to port 0x80 every millisecond");

static struct hrtimer timer;

static enum hrtimer_restart tick(struct hrtimer *timer)
{
	unsigned int i;

	for (i = 0; i < writes; i++)
		outb(0, 0x80);
	hrtimer_forward_now(timer, NSEC_PER_MSEC);
	return HRTIMER_RESTART;
}

static int __init start(void)
{
	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	timer.function = tick;
	hrtimer_start(&timer, NSEC_PER_MSEC, HRTIMER_MODE_REL);
	return 0;
}

static void __exit stop(void)
{
	hrtimer_cancel(&timer);
}

module_init(start);
module_exit(stop);
MODULE_DESCRIPTION("Keeps QEMU's virtual clock at a pace that the host can follow");
MODULE_LICENSE("GPL");
