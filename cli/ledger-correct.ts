import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { operate, shown } from './operate.js';
import { said } from './values.js';

/** The options of `ledger correct` and `ledger wallets`. */
export const correctOptions = {
  key: { type: 'string' },
  posting: { type: 'string', multiple: true },
  postings: { type: 'string' },
  profile: { type: 'string' },
} as const;

export interface CorrectValues {
  readonly key?: string;
  readonly posting?: string[];
  readonly postings?: string;
  readonly profile?: string;
  readonly synthetic?: boolean;
  readonly reason?: string;
  readonly json?: boolean;
}

const correctionForm = z.object({
  journalId: z.string(),
  key: z.string(),
  synthetic: z.boolean(),
  reason: z.string(),
  postedAt: z.string(),
  repeated: z.boolean(),
});

const fileForm = z.array(z.record(z.string(), z.unknown()));

/** Posts a correction; returns undefined where a required option is missing. */
export async function correct(values: CorrectValues): Promise<number | undefined> {
  const { key, reason, synthetic = false, posting: given, postings: file } = values;
  // Exactly one of the two: otherwise one of them would be silently ignored.
  if (key === undefined || reason === undefined || (given === undefined) === (file === undefined)) return undefined;
  const postings = file === undefined ? given?.map(postingOf) : await readPostings(file);
  if (postings === undefined) return undefined;
  return operate(
    `mutation ($key: ID!, $synthetic: Boolean!, $reason: String!, $postings: [CorrectionPostingInput!]!) {
      posted: postCorrection(key: $key, synthetic: $synthetic, reason: $reason, postings: $postings) {
        journalId key synthetic reason postedAt repeated } }`,
    { key, synthetic, reason, postings },
    z.object({ posted: correctionForm }),
    shown(values, ({ posted }) =>
      posted.repeated
        ? `It was already posted at ${posted.postedAt} as ${posted.journalId}: nothing has changed.`
        : `The journal ${posted.journalId} is posted.`,
    ),
  );
}

/** Parses a posting written as `AVAILABLE/<wallet id>:BRL:-10.00`. The graph reports one that does not have this form. */
function postingOf(text: string): Record<string, unknown> {
  const [name = '', currency = '', amount = ''] = text.split(':');
  const [account = '', owner] = name.split('/');
  const walletId = account === 'VENUE' ? undefined : owner;
  return said({ account, walletId, venue: account === 'VENUE' ? owner : undefined, currency, amount });
}

async function readPostings(file: string): Promise<Record<string, unknown>[] | undefined> {
  const text = await readFile(file, 'utf8');
  try {
    return fileForm.parse(JSON.parse(text));
  } catch {
    process.stderr.write(`${file} is not a JSON array of postings\n\n`);
    return undefined;
  }
}

const walletForm = z.object({ id: z.string(), synthetic: z.boolean() });

/** Lists the wallets of a company, or of one of its profiles. */
export function wallets(companyId: string, values: CorrectValues): Promise<number> {
  return operate(
    `query ($companyId: ID!, $profileId: ID) {
      wallets: tradingWallets(companyId: $companyId, profileId: $profileId) { id synthetic } }`,
    { companyId, profileId: values.profile ?? null },
    z.object({ wallets: z.array(walletForm) }),
    shown(values, ({ wallets: found }) =>
      found.map(({ id, synthetic }) => `${id}  ${synthetic ? 'synthetic' : 'real'}`).join('\n'),
    ),
  );
}
