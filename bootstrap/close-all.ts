/**
 * Closes one resource after the other. Goes on when one fails, so that nothing it depends on is left running.
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
