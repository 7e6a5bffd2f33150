import { ArgsType, Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql';
import { auditOutcomes, type AuditOutcome } from '../../../shared/audit/entry.js';
import type { StoredEntry } from '../../../shared/audit/read-entries.js';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import { PageInfo } from '../../../shared/subgraph/page-info.js';
import { DateTimeScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';

export const AuditOutcomeEnum = describeEnum<AuditOutcome>('AuditOutcome', 'What became of an act.', {
  DONE: 'It was done, in the same transaction as its entry',
  REFUSED: 'The caller may not, or the input was wrong; nothing was done',
  FAILED: 'It failed inside; nothing was done',
} satisfies Record<(typeof auditOutcomes)[number], string>);

@InputType({ description: 'Which entries of the audit log to list. What is left out does not narrow the list.' })
export class AuditLogFilter {
  @Field(() => String, { nullable: true, description: 'Id of an operator or account, or the e-mail of an operator.' })
  actor?: string | null;

  @Field(() => String, { nullable: true, description: 'Name of the mutation or command, as `revokeOperator`.' })
  action?: string | null;

  @Field(() => String, { nullable: true, description: 'Id of what something was done to: an id, or a ticker.' })
  subject?: string | null;

  @Field(() => AuditOutcomeEnum, { nullable: true, description: 'What became of it.' })
  outcome?: AuditOutcome | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'From this moment on.' })
  from?: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Before this moment.' })
  to?: Date | null;
}

@ArgsType()
export class AuditLogArgs {
  @Field(() => AuditLogFilter, { nullable: true, description: 'Which entries; all when omitted.' })
  filter?: AuditLogFilter | null;

  @Field(() => Int, { defaultValue: 50, description: 'How many, 1 to 200.' })
  first!: number;

  @Field(() => String, { nullable: true, description: '`endCursor` of the page before, of the same filter.' })
  after?: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'An entry of the audit log: it is neither changed nor deleted.' })
export class AuditEntry {
  @Field(() => ID, { description: 'UUID.' })
  id!: string;

  @Field(() => Date, { description: 'When, by the clock of the database.' })
  at!: Date;

  @Field(() => String, {
    description: 'What kind of caller: OPERATOR, SESSION, API_KEY, DEVELOPER_KEY, CLIENT, ANONYMOUS, SYSTEM, SEVERAL.',
  })
  actorKind!: string;

  @Field(() => String, { description: 'Id of the operator or account; the network of a caller without a credential.' })
  actorId!: string;

  @Field(() => String, { nullable: true, description: 'E-mail of an operator.' })
  actorName!: string | null;

  @Field(() => String, { description: 'Id of the key or session.' })
  credentialId!: string;

  @Field(() => String, { description: 'Where from: an address, or `cli:<user>@<machine>`.' })
  source!: string;

  @Field(() => String, { description: 'Id of the request, as in `X-Request-Id` and in the log.' })
  requestId!: string;

  @Field(() => String, { description: 'Name of the mutation or command.' })
  action!: string;

  @Field(() => String, { nullable: true, description: 'What kind of thing it was done to, as `tranche`.' })
  subjectType!: string | null;

  @Field(() => String, { nullable: true, description: 'Which one: an id, or a ticker.' })
  subjectId!: string | null;

  @Field(() => AuditOutcomeEnum, { description: 'What became of it.' })
  outcome!: AuditOutcome;

  @Field(() => Float, { description: 'How often: more than one for what came too often to be told one by one.' })
  occurrences!: number;

  @Field(() => String, { nullable: true, description: 'What was there before, as JSON.' })
  before!: string | null;

  @Field(() => String, { nullable: true, description: 'What is there now, or what was asked for, as JSON.' })
  after!: string | null;

  @Field(() => String, { nullable: true, description: 'Why it was refused, or how it failed.' })
  reason!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'An entry of the audit log in a list.' })
export class AuditLogEdge {
  @Field(() => AuditEntry, { description: 'The entry.' })
  node!: AuditEntry;

  @Field(() => String, { description: 'Its place in the list, for `after`.' })
  cursor!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A page of the audit log, the newest entries first.' })
export class AuditLogConnection {
  @Field(() => [AuditLogEdge], { description: 'The entries with their places.' })
  edges!: AuditLogEdge[];

  @Field(() => [AuditEntry], { description: 'The entries.' })
  nodes!: AuditEntry[];

  @Field(() => PageInfo, { description: 'Where the page ends.' })
  pageInfo!: PageInfo;
}

export function toAuditEntry(entry: StoredEntry): Shape<AuditEntry> {
  return { ...entry, before: jsonOf(entry.before), after: jsonOf(entry.after) };
}

function jsonOf(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
