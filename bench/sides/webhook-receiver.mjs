// Counts the deliveries at /<path>, and the delay of each first delivery after its event; GET / returns both. Paths other than /dead respond 200 at
// once; /dead never responds.
import { createServer } from 'node:http';

let count = 0;
let delays = [];

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    const { searchParams } = new URL(request.url, 'http://localhost');
    response.end(JSON.stringify({ count, delays }));
    if (searchParams.has('forget')) {
      count = 0;
      delays = [];
    }
    return;
  }
  let body = '';
  request.setEncoding('utf8').on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    if (request.url === '/dead') return;
    count += 1;
    delays.push(Date.now() - Date.parse(JSON.parse(body).createdAt));
    response.end();
  });
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
server.listen(Number(process.env.PORT), '127.0.0.1');
