// A minimal loop with `ws` that sends texts to every socket: no credential, no channels, no bounds.
import { once } from 'node:events';
import { WebSocketServer } from 'ws';
import { serveWorks } from '../kit/worker.mjs';

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
let timer;

serveWorks({
  listen: async () => {
    if (server.address() === null) await once(server, 'listening');
    return server.address().port;
  },
  /** Sends all of the texts to all of the sockets, and again after each pause. */
  send: ({ texts, everyMs }) => {
    timer = setInterval(() => {
      for (const text of texts) for (const socket of server.clients) socket.send(text);
    }, everyMs);
  },
  stop: () => clearInterval(timer),
});
