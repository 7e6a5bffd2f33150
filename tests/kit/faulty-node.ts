import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const question = z.object({ id: z.unknown(), method: z.string(), params: z.array(z.unknown()).default([]) });

/** What a node answers instead of the truth: a JSON-RPC error, a result, or nothing at all (the connection breaks). */
export type Lie =
  { readonly error: { readonly code: number; readonly message: string } } | { readonly result: unknown } | 'hang up';

/** Asked before each question is passed on; undefined lets it through. */
export type Liar = (method: string, params: readonly unknown[]) => Lie | undefined;

export interface FaultyNode {
  readonly url: string;
  /** The methods that were asked. */
  readonly asked: string[];
  lie: Liar;
  close(): Promise<void>;
}

/** A node on loopback that stands before another one and may be told to fail. */
export async function openFaultyNode(behind: string): Promise<FaultyNode> {
  const asked: string[] = [];
  const node = { lie: (() => undefined) as Liar };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const { id, method, params } = question.parse(JSON.parse(body));
      asked.push(method);
      const lie = node.lie(method, params);
      if (lie === 'hang up') {
        request.socket.destroy();
        return;
      }
      response.setHeader('content-type', 'application/json');
      if (lie !== undefined) {
        response.end(JSON.stringify({ jsonrpc: '2.0', id, ...lie }));
        return;
      }
      void fetch(behind, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
        .then((answer) => answer.text())
        .then(
          (text) => response.end(text),
          () => request.socket.destroy(),
        );
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(node, {
    url: `http://127.0.0.1:${port}/key-of-ours`,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
