import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { auditOutcomes, type ActorKind, type AuditOutcome } from '../../../shared/security/audit/entry.js';
import type { StoredEntry } from '../../../shared/security/audit/read-entries.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { connectionType, ofPage } from '../../../shared/graphql/connection-type.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { AuditFileFormat } from './start-audit-export.js';
import { args, fields, float, id, inputs, nullable, of, text, time } from '../../../shared/graphql/fields.js';

export const AuditOutcomeEnum = describeEnum<AuditOutcome>(
  'AuditOutcome',
  'Outcome of an operation in the audit log.',
  {
    DONE: 'It was carried out, in the same transaction as its entry',
    REFUSED: 'The caller was not permitted, or the input was invalid; nothing was changed',
    FAILED: 'An internal error occurred; nothing was changed',
  } satisfies Record<(typeof auditOutcomes)[number], string>,
  { DONE: ['Concluída', 'Done'], REFUSED: ['Recusada', 'Refused'], FAILED: ['Com falha', 'Failed'] },
);

export const AuditFileFormatEnum = describeEnum<AuditFileFormat>(
  'AuditFileFormat',
  'Format of a file with entries of the audit log.',
  { CSV: 'A line for each entry, with a header', JSONL: 'A JSON object on each line' },
  { CSV: ['CSV', 'CSV'], JSONL: ['JSON por linha', 'JSON lines'] },
);

const ActorKindEnum = describeEnum<ActorKind>(
  'AuditActorKind',
  'Kind of the caller of an operation in the audit log.',
  {
    ANONYMOUS: 'A caller without a credential',
    API_KEY: 'An API key of an account',
    DEVELOPER_KEY: 'A key of a developer',
    SESSION: 'A session of an account',
    CLIENT: 'A client of the credit-assignment API, which signs its requests',
    TRADER: 'A credential of a trading company',
    OPERATOR: 'An operator',
    WEBSITE: 'A public page of the program',
    SYSTEM: 'The program itself',
    SEVERAL: 'Several callers, whose equal events were combined into one entry',
  },
  {
    ANONYMOUS: ['Anônimo', 'Anonymous'],
    API_KEY: ['Chave de API', 'API key'],
    DEVELOPER_KEY: ['Chave de desenvolvedor', 'Developer key'],
    SESSION: ['Sessão', 'Session'],
    CLIENT: ['Cliente de cessão de créditos', 'Credit-assignment client'],
    TRADER: ['Credencial de negociação', 'Trading credential'],
    OPERATOR: ['Operador', 'Operator'],
    WEBSITE: ['Página pública', 'Public page'],
    SYSTEM: ['Sistema', 'System'],
    SEVERAL: ['Vários', 'Several'],
  },
);

@InputType({ description: 'Filter of the audit log. A field that is omitted does not restrict the list.' })
export class AuditLogFilter extends inputs({
  actor: nullable.text('Id of an operator or account, or the e-mail of an operator.'),
  action: nullable.text('Name of the mutation or command, such as `revokeOperator`.'),
  subject: nullable.text('Id or ticker of the affected object.'),
  outcome: nullable.of(() => AuditOutcomeEnum, 'Outcome of the operation.'),
  from: nullable.time('Only entries from this moment on.'),
  to: nullable.time('Only entries before this moment.'),
}) {}

export const auditLogPage = { usual: 50, most: 200 } as const;

@ArgsType()
export class AuditLogArgs extends args({
  ...ofPage(auditLogPage),
  filter: nullable.of(() => AuditLogFilter, 'Restricts the list; all entries when omitted.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'An entry of the audit log, which is never changed or deleted.' })
export class AuditEntry extends fields({
  id: id('Id (UUID).'),
  at: time('Time of the entry, by the clock of the database.'),
  actorKind: of(() => ActorKindEnum, 'Kind of the caller.'),
  actorId: text('Id of the operator or account; for a caller without a credential, its network.'),
  actorName: nullable.text('E-mail of the operator.'),
  credentialId: text('Id of the key or session.'),
  source: text('Origin of the request: an address, or `cli:<user>@<machine>`.'),
  requestId: text('Id of the request, as in `X-Request-Id` and in the log.'),
  action: text('Name of the mutation or command.'),
  subjectType: nullable.text('Kind of the affected object, such as `tranche`.'),
  subjectId: nullable.text('Id or ticker of the affected object.'),
  outcome: of(() => AuditOutcomeEnum, 'Outcome of the operation.'),
  occurrences: float('Number of occurrences; greater than one when many equal events were combined into one entry.'),
  before: nullable.text('State before the operation, as JSON.'),
  after: nullable.text('State after the operation, or the requested state, as JSON.'),
  reason: nullable.text('Reason for the rejection or failure.'),
}) {}

export const AuditLogConnection = connectionType(AuditEntry, {
  name: 'AuditLog',
  nodes: 'entries of the audit log',
  order: 'newest first',
});

export function toAuditEntry(entry: StoredEntry): Shape<AuditEntry> {
  return { ...entry, before: jsonOf(entry.before), after: jsonOf(entry.after) };
}

function jsonOf(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
