const lookMs = 250;

/**
 * Calls `act` when the process that started this one has ended. `npm start` relies on it: npm cannot forward SIGKILL, and the
 * program would keep running alone, holding the port and the data folder.
 */
export function whenParentIsGone(act: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, lookMs);
  timer.unref();
}
