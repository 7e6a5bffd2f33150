import { readFileSync } from 'node:fs';

/** Resource usage of processes as the kernel reports it. Linux only: elsewhere these return undefined, and the table shows a dash. */

/** Returns the processor time used so far by these processes together, in milliseconds (to 10 ms). */
export function processorMs(pids) {
  try {
    return pids.reduce((sum, pid) => {
      // After the name in brackets come the state and the numbers; user and system time are the 14th and 15th fields overall.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      return sum + (Number(fields[11]) + Number(fields[12])) * 10;
    }, 0);
  } catch {
    return undefined;
  }
}

/** Returns the resident memory of a process in MB (10⁶ bytes): now, and the highest since its start. */
export function memoryMb(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const field = (name) =>
      Math.round((Number(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(status)?.[1]) * 1024) / 1e6);
    return { now: field('VmRSS'), highest: field('VmHWM') };
  } catch {
    return undefined;
  }
}

/** Returns a process and all its descendants, except those whose name is `except`. */
export function familyOf(pid, except) {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number);
    const mine = children.filter((child) => readFileSync(`/proc/${child}/comm`, 'utf8').trim() !== except);
    return [pid, ...mine.flatMap((child) => familyOf(child, except))];
  } catch {
    return [pid];
  }
}
