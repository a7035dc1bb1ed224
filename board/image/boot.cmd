# U-Boot's script, which chooses the slot to start. The build replaces @NAMES@ by card sectors, in hexadecimal.
#
# The state is one sector, with a checksum, in two copies:
#   slot   the confirmed slot
#   trial  a slot with an update that has not recorded yet, or empty; tries: how often it may still be started
#   bad    damaged slots
#   data   new: the data file system is to be made; ready: never make it
# It is written here only during a trial, so a device that is switched off and on a hundred times keeps its slot.

setenv buffer 0x47000000; setenv kernel 0x48000000; setenv packed 0x50000000; setenv initrd 0x58000000
# A Raspberry Pi's memory begins at 0, and may end at 512 MiB.
if test "${devtype}" = mmc; then
  setenv buffer 0x07000000; setenv kernel 0x02000000; setenv packed 0x08000000; setenv initrd 0x0a000000
fi
test -n "${fdt}" || setenv fdt ${fdt_addr}
fdt addr ${fdt} || setenv fdt ${fdtcontroladdr}
# The device tree may lie where a slot is loaded, as in an emulated Raspberry Pi. It is less than 1 MiB.
if test "${devtype}" = mmc; then fdt move ${fdt} 0x06000000 0x100000 && setenv fdt 0x06000000; fi
${devtype} dev ${devnum}

setenv slot; setenv trial; setenv tries; setenv bad; setenv data; setenv copy1; setenv copy2
# The first copy wins if both are intact: it is read last.
if ${devtype} read ${buffer} @STATE2@ 1 && env import -c ${buffer} 200 slot trial tries bad data; then setenv copy2 whole; fi
if ${devtype} read ${buffer} @STATE1@ 1 && env import -c ${buffer} 200 slot trial tries bad data; then setenv copy1 whole; fi
if test -z "${copy1}${copy2}"; then
  echo "boot: both copies of the state are lost"
  setenv slot A; setenv tries 0; setenv data ready
fi

setenv order "A B"
test "${slot}" = B && setenv order "B A"
if test -n "${trial}" && itest 0x${tries} -gt 0; then
  setexpr tries ${tries} - 1
  setenv order "${trial} ${order}"
  mw.b ${buffer} 0 200
  env export -c -s 200 ${buffer} slot trial tries bad data
  # A damaged copy is written first, because the other is the only intact one.
  if test -z "${copy2}"; then
    ${devtype} write ${buffer} @STATE2@ 1
    ${devtype} write ${buffer} @STATE1@ 1
  else
    ${devtype} write ${buffer} @STATE1@ 1
    ${devtype} write ${buffer} @STATE2@ 1
  fi
elif test -n "${trial}"; then
  echo "boot: the update in slot ${trial} did not get as far as recording"
fi

# Load the first intact slot. Slots marked as bad are skipped.
setenv chosen
for one in ${order}; do
  setenv start @SLOTA@
  test ${one} = B && setenv start @SLOTB@
  setenv wanted yes
  test -n "${chosen}" && setenv wanted
  test "${bad}" = ${one} && setenv wanted
  test "${bad}" = AB && setenv wanted
  if test -n "${wanted}"; then
    setenv ksize; setenv kcrc; setenv kcrc2; setenv isize; setenv icrc; setenv icrc2; setenv verity
    if ${devtype} read ${buffer} ${start} 8 && env import -c ${buffer} 1000 kstart ksectors ksize kcrc kcrc2 istart isectors isize icrc icrc2 verity release; then
      setexpr from ${start} + ${kstart}; ${devtype} read ${packed} ${from} ${ksectors}
      setexpr from ${start} + ${istart}; ${devtype} read ${initrd} ${from} ${isectors}
      crc32 ${packed} ${ksize} ${buffer}; setexpr.l sum1 *${buffer}
      crc32 ${initrd} ${isize} ${buffer}; setexpr.l sum2 *${buffer}
      # U-Boot for QEMU leaves a sum in memory with its bytes reversed; U-Boot for the Raspberry Pi does not.
      if itest 0x${sum1} == 0x${kcrc} && itest 0x${sum2} == 0x${icrc}; then setenv chosen ${one}; fi
      if itest 0x${sum1} == 0x${kcrc2} && itest 0x${sum2} == 0x${icrc2}; then setenv chosen ${one}; fi
    fi
    test "${chosen}" = ${one} || echo "boot: slot ${one} does not load"
  fi
done

setenv mode "fc.slot=${chosen} rauc.slot=${chosen} fc.verity=${verity}"
# Without it the system does not even look at what is on trial.
test -n "${trial}" && setenv mode "${mode} fc.trial"
# A release on trial that hangs is given up sooner, so that the other is up within a minute.
if test -n "${trial}" && test "${chosen}" = "${trial}"; then setenv mode "${mode} systemd.watchdog_sec=10"; fi
if test -z "${chosen}"; then
  echo "boot: no slot left: rescue"
  setenv mode "fc.rescue"
  load ${devtype} ${devnum}:1 ${packed} rescue/kernel.gz
  load ${devtype} ${devnum}:1 ${initrd} rescue/initrd && setenv isize ${filesize}
fi
echo "boot: slot ${chosen} release ${release} tries ${tries} trial ${trial}"
# Only the kernel's own modules, and no access to memory around it, once the initramfs has loaded its own. A test with modules of
# its own overrides this.
test -n "${lock}" || setenv lock fc.lock=integrity
# Left out of a start, because nothing here uses it: types of modules for BPF programs (a tenth of a second for each module), a
# random number generator besides the kernel's, algorithms in BPF, names in traces, the kernel's tests of its own ciphers.
setenv quick "initcall_blacklist=btf_module_init,jent_mod_init,bpf_dummy_struct_ops_init,bpf_tcp_ca_kfunc_init,trace_eval_init"
setenv quick "${quick} cryptomgr.notests=1"
# Large pages would have the kernel keep another 17 MB free.
setenv quick "${quick} transparent_hugepage=never"
# The header's serial port belongs to the recorder: no kernel messages, and no SysRq that a loose wire could trigger.
setenv bootargs "${mode} console=tty0 quiet loglevel=3 panic=3 oops=panic sysctl.kernel.sysrq=0 ${quick} ${lock} ${testargs}"
if test -z "${choose_only}"; then
  unzip ${packed} ${kernel} && booti ${kernel} ${initrd}:${isize} ${fdt}
  sleep 1
  reset
fi
