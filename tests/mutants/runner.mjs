// One worker at a time; a worker that does not return in time, or has grown large, is replaced.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const workerPath = fileURLToPath(new URL('worker.mjs', import.meta.url));
const largestWorkerBytes = 1_200_000_000;

/** `run({ file, mutant, hitLimit, testTimeoutMs }, timeoutMs)` resolves with `{ passed, failure, couldNotRun, coverage, ms, slowestMs }`. */
export function openRunner(root, scratch) {
  let worker;

  function start() {
    worker = fork(workerPath, {
      cwd: root,
      execArgv: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
      env: { ...process.env, NODE_ENV: 'test', MUTANTS_SCRATCH: scratch },
      stdio: ['ignore', 'ignore', process.env.MUTANTS_DEBUG === undefined ? 'ignore' : 'inherit', 'ipc'],
    });
  }

  function stop() {
    worker?.removeAllListeners();
    worker?.kill('SIGKILL');
    worker = undefined;
  }

  function run(task, timeoutMs) {
    if (worker === undefined) start();
    return new Promise((resolve) => {
      const end = (outcome) => {
        clearTimeout(timer);
        worker?.removeAllListeners();
        if (outcome.memoryBytes === undefined || outcome.memoryBytes > largestWorkerBytes) stop();
        resolve(outcome);
      };
      const timer = setTimeout(() => end({ passed: false, failure: 'time-out', ms: timeoutMs }), timeoutMs);
      worker.once('exit', (code, signal) => {
        if (signal !== 'SIGTERM') {
          end({ passed: false, failure: `the process ended (${code ?? signal})`, ms: 0 });
          return;
        }
        // Somebody else ended it, which says nothing about the mutant.
        clearTimeout(timer);
        worker = undefined;
        resolve(run(task, timeoutMs));
      });
      worker.once('message', end);
      worker.send({ root, ...task });
    });
  }

  return { run, stop };
}
