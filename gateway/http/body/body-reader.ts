import type { FastifyRequest } from 'fastify';

/** Ends the reading of a body: with an error, or with the body, which may be absent. */
export type Done = (error: Error | null, body?: unknown) => void;

/** Parses the bytes of a body into the value that its route receives. */
export type Read = (request: FastifyRequest, bytes: Buffer, done: Done) => void;
