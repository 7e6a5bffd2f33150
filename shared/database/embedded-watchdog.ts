import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { environment, type Account } from './embedded-account.js';

/**
 * Waits until nobody holds the other end of its standard input any more, and then ends the server, `$1`: fast shutdown, after
 * five seconds immediate, after three more by force. What was committed survives each of them.
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
 * Starts a small process that ends the server when this one is gone, however it went: SIGKILL leaves no time for a word, and a
 * pipe is closed all the same.
 *
 * @returns a function that ends the watchdog, to be called once the server has ended.
 */
export function watchOver(serverPid: number, account: Account): () => void {
  const watchdog = spawn('/bin/sh', ['-c', script, 'lastro-watchdog', String(serverPid)], {
    // Where every account may be.
    cwd: '/',
    env: environment,
    // As the server's own user, who may signal it.
    ...account.switchTo,
    // This process alone has the other end: Node gives none of its pipes to other children.
    stdio: ['pipe', 'ignore', 'ignore'],
    // In a group of its own: neither Ctrl-C nor the end of our whole group may end it before its work.
    detached: true,
  });
  // Without a shell there is no watchdog; the next start then finds the server, as it does after the machine lost power.
  watchdog.on('error', () => undefined);
  watchdog.stdin.on('error', () => undefined);
  watchdog.unref();
  if (watchdog.stdin instanceof Socket) watchdog.stdin.unref();
  return () => watchdog.kill('SIGKILL');
}
