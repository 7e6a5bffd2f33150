import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Runs the functions of this table one at a time, in a process forked by `startWorker`. It exits with its parent. */
export function serveWorks(works) {
  process.on('message', async ({ name, order }) => {
    try {
      process.send({ result: await works[name](order) });
    } catch (error) {
      process.send({ error: error.stack });
    }
  });
  process.on('disconnect', () => process.exit());
}

/**
 * Forks a file that calls `serveWorks`.
 * @param {URL} file
 * @returns its pid, `ask`, which resolves with the result of a function and rejects with its error, and `stop`
 */
export function startWorker(file) {
  const child = fork(file, { execArgv: [] });
  const ended = once(child, 'exit');
  let last = Promise.resolve();
  const run = async (name, order) => {
    child.send({ name, order });
    const ends = new AbortController();
    const { signal } = ends;
    const [message] = await Promise.race([
      once(child, 'message', { signal }),
      ended.then(([code]) => {
        throw new Error(`The worker ${file.pathname} ended with ${code}`);
      }),
    ]).finally(() => ends.abort());
    if (message.error !== undefined) throw new Error(message.error);
    return message.result;
  };
  return {
    pid: child.pid,
    ask: (name, order) => {
      const result = last.then(() => run(name, order));
      last = result.catch(() => undefined);
      return result;
    },
    stop: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
