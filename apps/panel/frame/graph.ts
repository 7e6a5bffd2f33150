import {
  Client,
  createRequest,
  fetchExchange,
  mapExchange,
  subscriptionExchange,
  type CombinedError,
  type DocumentInput,
  type GraphQLRequest,
  type OperationResult,
} from '@urql/core';
import { noteNoResponse, noteResponse } from './connection.js';
import { FailureError, failureOf, noResponse, type Failure, Cancelled } from './failure.js';
import { noteChange, onSessionChange, readSession, sessionOwner } from './session.js';
import { forwardToSocket } from './socket.js';
import { createStore, useStore } from './store.js';

export type Documents<Names> = {
  readonly [Name in keyof Names]: { readonly variables: object; readonly data: unknown };
};

export interface Graph<Operations extends Documents<Operations>> {
  /** Runs a query; where it needs a step-up, after that. @throws {FailureError}, and Cancelled where the dialog was closed */
  readonly query: <Name extends keyof Operations>(
    name: Name,
    variables: Operations[Name]['variables'],
  ) => Promise<Operations[Name]['data']>;
  /** Runs a mutation, after a step-up if needed, once for its `key`. @throws {FailureError}, and Cancelled where the dialog was closed */
  readonly mutate: <Name extends keyof Operations>(
    name: Name,
    variables: Operations[Name]['variables'],
    key?: string,
  ) => Promise<Operations[Name]['data']>;
  readonly subscribe: <Name extends keyof Operations>(
    name: Name,
    variables: Operations[Name]['variables'],
    receive: (event: Event<Operations[Name]['data']>) => void,
  ) => () => void;
}

/** An event of a subscription, or the failure with which it has ended. */
export interface Event<Data> {
  readonly data?: Data | undefined;
  readonly failure?: Failure | undefined;
}

const connectionExchange = mapExchange({
  onResult: ({ error }) => {
    if (error?.networkError === undefined || error.response !== undefined) noteResponse();
    else noteNoResponse();
  },
});

const headers = { accept: 'application/json' };

const optionsOf = (key: string | undefined) =>
  key === undefined ? {} : { fetchOptions: { headers: { ...headers, 'x-idempotency-key': key } } };

const client = new Client({
  url: '/graphql',
  preferGetMethod: false,
  requestPolicy: 'network-only',
  fetchOptions: { headers },
  exchanges: [connectionExchange, fetchExchange, subscriptionExchange({ forwardSubscription: forwardToSocket })],
});

/** Returns a request that names its document by its hash; no text is sent. */
function requestOf(hash: string, variables: object): GraphQLRequest {
  const document = { kind: 'Document', definitions: [], documentId: hash } as unknown as DocumentInput;
  return createRequest(document, variables, { persistedQuery: { version: 1, sha256Hash: hash } });
}

let reads = 0;

/** Returns a request of its own: the client would share the response of a like one under way, which may be older than the event. */
function readOf(hash: string, variables: object): GraphQLRequest {
  reads -= 1;
  return { ...requestOf(hash, variables), key: reads };
}

function combinedFailure({ graphQLErrors, response }: CombinedError): Failure {
  const [first] = graphQLErrors;
  if (first === undefined) {
    const status = response instanceof Response ? response.status : undefined;
    return status === undefined ? noResponse : failureOf({ statusCode: status });
  }
  return failureOf({ ...first.extensions, message: first.message });
}

function dataOf({ data, error }: OperationResult): unknown {
  if (error === undefined || (data != null && isOfMissingParts(error))) return data;
  throw new FailureError(combinedFailure(error));
}

/** Whether the only errors are parts of the result that do not exist, such as the withdrawn estate of a batch: the parts are null, as their types say. */
function isOfMissingParts({ graphQLErrors, networkError }: CombinedError): boolean {
  return (
    networkError === undefined &&
    graphQLErrors.every(({ path, extensions }) => extensions['code'] === 'NOT_FOUND' && (path?.length ?? 0) > 1)
  );
}

/** Runs once more where the session had been renewed by another tab; see §4.1 of docs/contract/browser-sessions.md. */
async function withSession(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.code !== 'UNAUTHORIZED') throw error;
    if ((await readSession()) === null) throw error;
    return run();
  }
}

async function withStepUp(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.code !== 'STEP_UP_REQUIRED') throw error;
    await askForStepUp();
    return run();
  }
}

export function graphOf<Operations extends Documents<Operations>>(
  hashes: Readonly<Record<keyof Operations, string>>,
): Graph<Operations> {
  // The types are generated from the documents that run.
  return {
    query: async (name, variables) =>
      await withStepUp(() =>
        withSession(async () => dataOf(await client.executeQuery(readOf(hashes[name], variables)).toPromise())),
      ),
    mutate: async (name, variables, key) => {
      const data = await withStepUp(() =>
        withSession(async () =>
          dataOf(await client.executeMutation(requestOf(hashes[name], variables), optionsOf(key)).toPromise()),
        ),
      );
      noteChange();
      return data;
    },
    subscribe: (name, variables, receive) => {
      const subscription = client
        .executeSubscription(requestOf(hashes[name], variables))
        .subscribe(({ data, error }) => {
          receive({
            data: data as Operations[typeof name]['data'],
            failure: error === undefined ? undefined : combinedFailure(error),
          });
        });
      return () => subscription.unsubscribe();
    },
  };
}

/** A step-up that an act waits for. Several acts wait for the same one. */
interface Pending {
  readonly promise: Promise<void>;
  readonly settle: (proved: boolean) => void;
}

const pending = createStore<Pending | undefined>(undefined);

/** Opens the dialog in which the owner proves to be there. @throws {Cancelled} when it is closed without a proof */
function askForStepUp(): Promise<void> {
  const before = pending.get();
  if (before !== undefined) return before.promise;
  let settle: Pending['settle'] = () => undefined;
  const owner = sessionOwner();
  // Who has logged out, in another tab too, is asked for nothing.
  const stop = onSessionChange(() => {
    if (sessionOwner() !== owner) settle(false);
  });
  const promise = new Promise<void>((resolve, reject) => {
    settle = (proved) => {
      stop();
      pending.set(undefined);
      if (proved) resolve();
      else reject(new Cancelled());
    };
  });
  pending.set({ promise, settle });
  return promise;
}

/** The step-up that an act waits for; undefined if no act waits. */
export const useStepUpRequest = (): Pending | undefined => useStore(pending);
