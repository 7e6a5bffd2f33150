import { once } from 'node:events';
import WebSocket from 'ws';

/** Makes a process that runs with `--inspect` on this port of 127.0.0.1 collect its garbage, as far as it can. */
export async function collectGarbage(port) {
  const [{ webSocketDebuggerUrl }] = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
  const socket = new WebSocket(webSocketDebuggerUrl);
  await once(socket, 'open');
  for (let id = 1; id <= 2; id += 1) {
    socket.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }));
    await once(socket, 'message');
  }
  socket.terminate();
}
