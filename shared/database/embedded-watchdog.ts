import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { environment, type Account } from './embedded-account.js';

/**
 * Waits until its standard input is closed at the other end, and then stops the server `$1`: fast shutdown, immediate after five seconds, by force after
 * three more. Committed work survives each of them.
 */
const script = `
read -r _
for step in INT:50 QUIT:30 KILL:20; do
  kill -"\${step%:*}" "$1" 2>/dev/null || exit 0
  left=\${step#*:}
  while [ "$left" -gt 0 ]; do
    sleep 0.1
    kill -0 "$1" 2>/dev/null || exit 0
    left=$((left - 1))
  done
done`;

/**
 * Starts a small process that stops the server when this process is gone for any reason: after SIGKILL it can run no handler, but its end of the pipe is
 * closed all the same.
 *
 * @returns a function that stops the watchdog, to be called once the server has exited
 */
export function watchOver(serverPid: number, account: Account): () => void {
  const watchdog = spawn('/bin/sh', ['-c', script, 'lastro-watchdog', String(serverPid)], {
    // A folder that every account may enter.
    cwd: '/',
    env: environment,
    // The server's own user, who may signal it.
    ...account.switchTo,
    // Only this process holds the other end: Node passes none of its pipes to other children.
    stdio: ['pipe', 'ignore', 'ignore'],
    // In a process group of its own: neither Ctrl-C nor the end of our whole group may stop it before it has done its work.
    detached: true,
  });
  // Without a shell there is no watchdog; the next start then finds the server, as it does after a power loss.
  watchdog.on('error', () => undefined);
  watchdog.stdin.on('error', () => undefined);
  watchdog.unref();
  if (watchdog.stdin instanceof Socket) watchdog.stdin.unref();
  return () => watchdog.kill('SIGKILL');
}
