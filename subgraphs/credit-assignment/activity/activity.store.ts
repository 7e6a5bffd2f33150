import type { Context } from '../../../shared/kernel/context.js';
import { keyset } from '../../../shared/graphql/list-page.js';
import type { ActivityKind, RecordedAct, RecordedActor } from './activity.js';

/** The place of an act in the list: its time in microseconds as text, the id of its row, and which act of the row it is. */
export interface ActivityPlace {
  readonly exactAt: string;
  readonly id: string;
  readonly part: number;
}

/** An act in the name of an originator: of a batch, whose kind is known, or of the audit log. */
export interface ActivityRow extends ActivityPlace, RecordedAct, RecordedActor {
  readonly at: Date;
  readonly kind: ActivityKind | null;
  readonly creditBatchId: string | null;
  readonly settlementBatchId: string | null;
  readonly patrimonyId: string | null;
  /** Fingerprint of the key that was added or revoked, in hexadecimal. */
  readonly fingerprint: string | null;
}

export interface ActivityPage {
  readonly after: ActivityPlace | undefined;
  readonly backward: boolean;
  readonly limit: number;
}

/** Acts on batches are the times of their rows; `actions` are those by which somebody else than the signing client does them, in the audit log. */
const batchActs = (['credit', 'settlement'] as const).flatMap((noun) => {
  const [prefix, name] = noun === 'credit' ? (['CREDIT', 'Credit'] as const) : (['SETTLEMENT', 'Settlement'] as const);
  const others = noun === 'credit' ? ['takeInAssignmentFile', 'remakeCreditBatch'] : ['takeInSettlementFile'];
  const act = (column: string, kind: string, actions: readonly string[]) => ({ noun, column, kind, actions });
  return [
    act('created_at', `${prefix}_BATCH_CREATED`, [`create${name}BatchFromFile`, ...others]),
    act('submitted_at', `${prefix}_BATCH_SUBMITTED`, [`submit${name}Batch`]),
    act('cancelled_at', `${prefix}_BATCH_CANCELLED`, [`cancel${name}Batch`]),
  ];
});

/** Entries of the audit log about the originator `$1`. */
const recordedActs: readonly string[] = [
  `a.subject_type = 'originator' AND a.subject_id = $1::text`,
  // Entries of these acts hold the arguments of the operator, and no subject.
  `a.action IN ('permitOriginator', 'withdrawOriginatorPermit') AND lower(a.after->>'originatorId') = $1::text`,
  `a.action IN ('setEligibilityCriteria', 'removeEligibilityCriteria') AND a.subject_type = 'patrimony'
   AND coalesce(a.before, a.after) IS NOT NULL
   AND (a.subject_id, true) IN (SELECT patrimony_id::text, a.at >= permitted_at FROM credit_assignment.originator_permits WHERE originator_id = $1::uuid)`,
];

interface Source {
  readonly columns: string;
  readonly from: string;
  readonly at: string;
  readonly id: string;
  readonly part: number;
}

const sources: readonly Source[] = [
  ...recordedActs.map((condition) => ({
    columns: `a.actor_kind AS actor_kind, a.actor_id AS actor_id, a.action, a.before, a.after, NULL AS kind, NULL::uuid AS credit_batch, NULL::uuid AS settlement_batch`,
    from: `shared.audit_log a WHERE a.outcome = 'DONE' AND ${condition}`,
    at: 'a.at',
    id: 'a.id',
    part: 0,
  })),
  ...batchActs.map(({ noun, column, kind }, index) => ({
    columns: `NULL AS actor_kind, NULL AS actor_id, '' AS action, NULL::jsonb AS before, NULL::jsonb AS after, '${kind}' AS kind,
      ${noun === 'credit' ? 'b.id' : 'NULL::uuid'} AS credit_batch, ${noun === 'settlement' ? 'b.id' : 'NULL::uuid'} AS settlement_batch`,
    from: `credit_assignment.${noun}_batches b WHERE b.originator_id = $1::uuid AND b.${column} IS NOT NULL`,
    at: `b.${column}`,
    id: 'b.id',
    part: index + 1,
  })),
];

/** SQL of the act of the audit log by which somebody else than the signing client did what a row of a batch says. */
const actBehind = `SELECT l.actor_kind, l.actor_id FROM shared.audit_log l
  WHERE l.subject_id = acts.id::text AND l.outcome = 'DONE' AND l.action = ANY (CASE acts.part ${batchActs
    .map(({ actions }, index) => `WHEN ${index + 1} THEN ARRAY['${actions.join("', '")}']`)
    .join(' ')} END) ORDER BY l.at, l.id LIMIT 1`;

/** Lists acts in the name of an originator: the first few of each source, straight from an index, and then the first of these. */
export function listActivity(
  { manager }: Context,
  originatorId: string,
  { after, backward, limit }: ActivityPage,
): Promise<ActivityRow[]> {
  const { beyond, direction } = keyset('DESC', { backward });
  const order = (at: string, id: string) => `${at} ${direction}, ${id} ${direction}`;
  const few = sources.map(({ columns, from, at, id, part }) => {
    const further =
      after === undefined
        ? ''
        : ` AND ${at} ${beyond}= $3::timestamptz AND (${at}, ${id}, ${part}) ${beyond} ($3::timestamptz, $4::uuid, $5::integer)`;
    return `(SELECT ${at} AS at, ${id} AS id, ${part} AS part, ${columns} FROM ${from}${further} ORDER BY ${order(at, id)} LIMIT $2)`;
  });
  return manager.rows(
    `SELECT acts.at, acts.at::text AS "exactAt", acts.id, acts.part, acts.kind, acts.action, acts.before, acts.after,
       coalesce(acts.actor_kind, behind.actor_kind) AS "actorKind", coalesce(acts.actor_id, behind.actor_id) AS "actorId",
       acts.credit_batch AS "creditBatchId", acts.settlement_batch AS "settlementBatchId",
       lower(coalesce(acts.after->>'patrimonyId', acts.before->>'patrimonyId')) AS "patrimonyId",
       encode(key.fingerprint, 'hex') AS fingerprint
     FROM (${few.join(' UNION ALL ')} ORDER BY at ${direction}, id ${direction}, part ${direction} LIMIT $2) AS acts
     LEFT JOIN LATERAL (${actBehind}) AS behind ON acts.part > 0
     LEFT JOIN credit_assignment.originator_keys AS key ON key.id::text = lower(acts.after->>'keyId')
     ORDER BY acts.at ${direction}, acts.id ${direction}, acts.part ${direction}`,
    [originatorId, limit, ...(after === undefined ? [] : [after.exactAt, after.id, after.part])],
  );
}

export function countActivity({ manager }: Context, originatorId: string): Promise<number> {
  const counts = sources.map(({ from }) => `SELECT count(*) AS count FROM ${from}`);
  return manager.countRows(`SELECT sum(count)::integer AS count FROM (${counts.join(' UNION ALL ')}) AS counts`, [
    originatorId,
  ]);
}
