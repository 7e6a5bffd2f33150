import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { sendSigned } from '../credit-assignment/signing-kit.js';
import type { FailoverHouse } from './failover-kit.js';

type Outcome = 'acknowledged' | 'refused' | 'unknown' | 'wrong';

/** A write with an idempotency key of its own. */
export interface Write {
  readonly kind: 'batch' | 'submission' | 'operator';
  readonly key: string;
  /** The id of the batch that is submitted. */
  readonly batchId?: string;
  outcome: Outcome;
  /** Moments by the process' monotonic clock. */
  begunAt: number;
  endedAt: number;
  /** The status, and what was said where it was not acknowledged. */
  said: string;
  /** The id of what was created. */
  id: string | undefined;
}

/** A read of published data, which needs no primary where replicas may serve it. */
interface Read {
  /** Whether it has no credential, which only the primary can look up. */
  readonly isPublic: boolean;
  readonly outcome: Outcome;
  readonly said: string;
}

/** Keyed writes through both instances, and reads beside them, until stopped. */
export type Load = ReturnType<typeof startLoad>;

const writersOfEach = 2;
const pauseMs = 250;
/** After a refusal, whose Retry-After is longer: the first moment at which writes work again is to be seen. */
const refusedMs = 1_000;
/** How long a caller waits for a response. */
const patienceMs = 10_000;

interface HttpResponse {
  readonly status: number;
  readonly retryAfter: unknown;
  readonly body: unknown;
}

export function startLoad(house: FailoverHouse) {
  const writes: Write[] = [];
  const reads: Read[] = [];
  const stopping = new AbortController();
  const perform = async (url: string, given: Pick<Write, 'kind' | 'key' | 'batchId'>): Promise<Write> => {
    const write = newWrite(given);
    await attempt(house, url, write);
    writes.push(write);
    if (write.outcome !== 'acknowledged') await sleep(refusedMs);
    return write;
  };
  const writer = async (url: string) => {
    while (!stopping.signal.aborted) {
      const key = randomUUID();
      const batch = await perform(url, { kind: 'batch', key: `B-${key}` });
      if (batch.id !== undefined) await perform(url, { kind: 'submission', key: `S-${key}`, batchId: batch.id });
      await perform(url, { kind: 'operator', key: `O-${key}` });
      await sleep(pauseMs);
    }
  };
  const reader = async (path: string, isPublic: boolean) => {
    while (!stopping.signal.aborted) {
      const response = await within(get(path, isPublic ? {} : { 'x-api-key': house.apiKey }));
      reads.push({ isPublic, ...judged(response) });
      await sleep(2 * pauseMs);
    }
  };
  const loops = house.urls.flatMap((url) => [
    reader(`${url}/v1/emissoes/operacoes?limit=1`, false),
    reader(`${url}/public/tranches?limit=1`, true),
    ...Array.from({ length: writersOfEach }, () => writer(url)),
  ]);
  return {
    writes,
    reads,
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

export function newWrite(given: Pick<Write, 'kind' | 'key' | 'batchId'>): Write {
  return { ...given, outcome: 'unknown', begunAt: 0, endedAt: 0, said: '', id: undefined };
}

/** Sends a write, for the first time or again with its key. */
export async function attempt(house: FailoverHouse, url: string, write: Write): Promise<void> {
  write.begunAt = performance.now();
  const response = await within(write.kind === 'operator' ? addOperator(house, url, write) : signed(house, url, write));
  write.endedAt = performance.now();
  Object.assign(write, judged(response));
  if (write.outcome === 'acknowledged') write.id = idOf(response?.body);
}

const idForm = z.union([
  z.object({ id: z.string() }),
  z.object({ data: z.object({ addOperator: z.object({ id: z.string() }) }) }),
]);

function idOf(body: unknown): string | undefined {
  const { data } = idForm.safeParse(body);
  if (data === undefined) return undefined;
  return 'id' in data ? data.id : data.data.addOperator.id;
}

/** @returns undefined where nothing was heard */
async function within(request: Promise<HttpResponse>): Promise<HttpResponse | undefined> {
  return Promise.race([request.catch(() => undefined), sleep(patienceMs, undefined, { ref: false })]);
}

const graphErrors = z.object({
  errors: z
    .array(z.object({ extensions: z.object({ statusCode: z.number(), retryAfterSeconds: z.number().optional() }) }))
    .min(1),
});

/** An error of the graph tells its status and its Retry-After by itself. */
function judged(response: HttpResponse | undefined): Pick<Write, 'outcome' | 'said'> {
  if (response === undefined) return { outcome: 'unknown', said: 'nothing' };
  const error = graphErrors.safeParse(response.body).data?.errors[0]?.extensions;
  const status = error?.statusCode ?? response.status;
  const retryAfter = error === undefined ? response.retryAfter : error.retryAfterSeconds;
  if (status >= 200 && status < 300) return { outcome: 'acknowledged', said: String(status) };
  const said = `${status} ${JSON.stringify(response.body)}`;
  const saysWhen = retryAfter !== undefined && retryAfter !== null;
  // 409 with Retry-After: the request before with the same key is still running.
  return { outcome: saysWhen && (status === 503 || status === 409) ? 'refused' : 'wrong', said };
}

async function signed({ signer, patrimonyId }: FailoverHouse, url: string, write: Write): Promise<HttpResponse> {
  const [target, body] =
    write.batchId === undefined
      ? ['/tidc/v1/credit-batches', JSON.stringify({ patrimonyId, contracts: [contractOf(write.key)] })]
      : [`/tidc/v1/credit-batches/${write.batchId}/submit`, '{}'];
  const init = { method: 'POST', body, headers: { 'x-idempotency-key': write.key } };
  const { status, headers, body: said } = await sendSigned(url, signer, target, init);
  return { status, retryAfter: headers['retry-after'], body: said };
}

function contractOf(externalId: string): object {
  return { externalId, debtorDocument: '52998224725', faceValue: 1500.5, dueDate: '2040-06-01' };
}

export const emailOf = ({ key }: Pick<Write, 'key'>): string => `${key.toLowerCase()}@example.com`;

async function addOperator({ operatorKey }: FailoverHouse, url: string, write: Write): Promise<HttpResponse> {
  const query = `mutation ($email: String!) { addOperator(email: $email, name: "Carga", roles: ["read"]) { id } }`;
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': operatorKey, 'x-idempotency-key': write.key },
    body: JSON.stringify({ query, variables: { email: emailOf(write) } }),
  });
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.json() };
}

async function get(url: string, headers: Record<string, string>): Promise<HttpResponse> {
  const response = await fetch(url, { headers });
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.json() };
}
