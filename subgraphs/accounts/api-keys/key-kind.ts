import type { ActName } from '../../../shared/registry.js';
import type { KeyMark } from './key-form.js';

export const keyTables = ['api_keys', 'developer_keys'] as const;
export type KeyTable = (typeof keyTables)[number];

const scopes = ['contracts:read', 'credit:read', 'webhooks:read', 'webhooks:write'] as const;
export type DeveloperScope = (typeof scopes)[number];

export interface KeyKind {
  readonly table: KeyTable;
  readonly mark: KeyMark;
  /** Names in the audit log. In the graph, they are the names of the mutations, and in the plural the name of the list. */
  readonly subject: string;
  readonly created: ActName;
  readonly revoked: ActName;
  readonly rotated: ActName;
  /** Maximum number of keys of one account that are neither revoked nor expired, without those whose replacement works. */
  readonly maxWorking: number;
  /** The scopes from which each key has some; none where all keys have the same access. */
  readonly scopes: readonly DeveloperScope[];
}

/** Maximum number of API keys of one account that are ACTIVE and not expired (docs/contract/accounts.md §3.3). */
const maxApiKeys = 5;
const maxDeveloperKeys = 20;

export const apiKeys: KeyKind = {
  table: 'api_keys',
  mark: 'svcpub_',
  subject: 'apiKey',
  created: 'createApiKey',
  revoked: 'revokeApiKey',
  rotated: 'rotateApiKey',
  maxWorking: maxApiKeys,
  scopes: [],
};

export const developerKeys: KeyKind = {
  table: 'developer_keys',
  mark: 'svc_dev_',
  subject: 'developerKey',
  created: 'createDeveloperKey',
  revoked: 'revokeDeveloperKey',
  rotated: 'rotateDeveloperKey',
  maxWorking: maxDeveloperKeys,
  scopes,
};
