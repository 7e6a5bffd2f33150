/**
 * Closes one after the other, all of them, also when one fails: what it stands on must not be left running.
 * @throws the first failure, once everything was tried.
 */
export async function closeAll(closers: readonly (() => Promise<unknown>)[]): Promise<void> {
  const faults: unknown[] = [];
  for (const close of closers) {
    try {
      await close();
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
}
