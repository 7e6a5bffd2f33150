// A server with no other duty: it compresses one page and sends its bytes to whoever asks. It shows what the machine can send at all.
import { createServer } from 'node:http';
import { brotliCompressSync, constants } from 'node:zlib';

const response = await fetch(process.env.SOURCE, { headers: { 'accept-encoding': 'identity' } });
const bytes = brotliCompressSync(Buffer.from(await response.arrayBuffer()), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5 },
});
const headers = {
  'content-type': response.headers.get('content-type'),
  'content-encoding': 'br',
  'content-length': bytes.length,
};

createServer((_request, answer) => {
  answer.writeHead(200, headers);
  answer.end(bytes);
}).listen(Number(process.env.PORT), '127.0.0.1');
