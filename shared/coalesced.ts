/**
 * Work that is asked for more often than it can run: one run at a time, and one more after it when it was asked for
 * meanwhile. The promise ends with the last run that the call led to; `work` must not reject.
 */
export function coalesced(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let asked = 0;
  const loop = async () => {
    let answered: number;
    do {
      answered = asked;
      await work();
    } while (answered !== asked);
    running = undefined;
  };
  return () => {
    asked += 1;
    running ??= loop();
    return running;
  };
}
