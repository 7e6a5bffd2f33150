import { connect, type Socket } from 'node:net';
import { afterEach } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { createTestEdge, open, type TestEdge } from '../rest/edge-kit.js';

export interface OpenEdge extends TestEdge {
  readonly base: string;
  readonly port: number;
}

/** A connection by hand. */
export interface Line {
  readonly socket: Socket;
  /** What has come so far, in Latin-1. */
  readonly heard: () => string;
  /** Resolves with all that came when the connection has ended. */
  readonly ended: Promise<string>;
}

/** Opens servers and connections for the tests of a file, and closes them after each test. */
export function edgesOfFile() {
  const closers: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  return {
    start: async (
      routes: (app: FastifyInstance) => void,
      ...parts: Parameters<typeof createTestEdge>
    ): Promise<OpenEdge> => {
      const edge = createTestEdge(...parts);
      routes(edge.app);
      closers.push(() => edge.app.close());
      const base = await open(edge.app);
      return { ...edge, base, port: Number(new URL(base).port) };
    },
    say: (port: number, bytes: string | Buffer = '', localAddress = '127.0.0.1'): Line => {
      const socket = connect({ port, host: '127.0.0.1', localAddress });
      closers.push(() => socket.destroy());
      let text = '';
      socket.on('error', () => undefined).on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
      const ended = new Promise<string>((resolve) => {
        socket.once('close', () => {
          resolve(text);
        });
      });
      if (bytes.length > 0) socket.write(bytes);
      return { socket, heard: () => text, ended };
    },
  };
}
