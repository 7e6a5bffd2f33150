import { createServer } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import {
  CannotExecuteNotConnectedError,
  ConnectionIsNotSetError,
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
  TransactionNotStartedError,
} from 'typeorm';
import { apiErrorFrom } from '../kernel/errors.js';
import { isOutcomeUnknown, unavailability } from './unavailable.js';

function failed(error: Error): QueryFailedError {
  return new QueryFailedError('SELECT 1', [], error);
}

function reported(code: string, severity = 'FATAL'): Error {
  return failed(Object.assign(new pg.DatabaseError('what PostgreSQL said', 20, 'error'), { code, severity }));
}

function withCode(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** The error of a client whose server does that with a new connection. */
async function errorOf(
  serve: (socket: import('node:net').Socket) => void,
  act: (client: pg.Client) => Promise<unknown>,
) {
  const server = createServer(serve).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'x',
    database: 'x',
    password: 'x',
    connectionTimeoutMillis: 2_000,
  });
  client.on('error', () => undefined);
  try {
    await act(client);
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await client.end().catch(() => undefined);
    await new Promise((resolve) => server.close(resolve));
  }
}

describe('a database that is away is 503, whoever reports it', () => {
  test.each<[string, () => Error]>([
    ['a released query runner', () => new QueryRunnerAlreadyReleasedError()],
    ['a manager whose query runner was released', () => new QueryRunnerProviderAlreadyReleasedError()],
    ['a transaction that was lost before its end', () => new TransactionNotStartedError()],
    ['a data source that was closed', () => new CannotExecuteNotConnectedError()],
    ['a pool that was closed', () => new ConnectionIsNotSetError('postgres')],
    ['no free connection', () => new Error('timeout exceeded when trying to connect')],
    ['a connection that ended', () => new Error('Connection terminated unexpectedly')],
    ['a connection that could not be made in time', () => new Error('Connection terminated due to connection timeout')],
    [
      'a statement after that',
      () => failed(new Error('Client has encountered a connection error and is not queryable')),
    ],
    ['a statement after the end of a client', () => failed(new Error('Client was closed and is not queryable'))],
    [
      'a reset',
      () => withCode('ECONNRESET', 'Client network socket disconnected before secure TLS connection was established'),
    ],
    ['a broken pipe', () => withCode('EPIPE', 'This socket has been ended by the other party')],
    ['all addresses of a host', () => new AggregateError([new Error('?'), withCode('ECONNRESET', 'reset')])],
    ...['08000', '08003', '08006', '08P01', '57P01', '57P02', '57P03', '57P05', '53300', '25P03', '25P04', '58030'].map(
      (code): [string, () => Error] => [code, () => reported(code)],
    ),
  ])('%s', (_what, errorOfIt) => {
    expect(unavailability(errorOfIt())).toBeDefined();
    expect(apiErrorFrom(errorOfIt())).toMatchObject({ code: 'UNAVAILABLE', status: 503 });
  });

  test('a server that ends or refuses a connection', async () => {
    const ended = await errorOf(
      (socket) => socket.destroy(),
      (client) => client.connect(),
    );
    expect(apiErrorFrom(ended).status).toBe(503);
    const refused = await new pg.Client({ host: '127.0.0.1', port: 1, password: 'x' })
      .connect()
      .catch((error: unknown) => error);
    expect(apiErrorFrom(refused).status).toBe(503);
  });
});

test.each([new Error('a fault of the program'), reported('23505', 'ERROR'), reported('42P01', 'ERROR')])(
  'what the database did say is no absence: %s',
  (error) => {
    expect(unavailability(error)).toBeUndefined();
  },
);

test('only of what was sent the outcome is unknown', () => {
  expect(isOutcomeUnknown(failed(new Error('Connection terminated unexpectedly')))).toBe(true);
  for (const error of [
    new QueryRunnerAlreadyReleasedError(),
    new QueryRunnerProviderAlreadyReleasedError(),
    new TransactionNotStartedError(),
    new CannotExecuteNotConnectedError(),
    new ConnectionIsNotSetError('postgres'),
    failed(new Error('Client was closed and is not queryable')),
  ])
    expect(isOutcomeUnknown(error)).toBe(false);
});
