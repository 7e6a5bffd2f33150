import type { Context } from '../../../shared/kernel/context.js';
import type { LimitKind } from '../criteria/criteria.type.js';

/** SQL of what limits compare, over the rows `receivable` and `batch`; those on the average term have one subject, without a name. */
const subjects: Readonly<Record<LimitKind, string>> = {
  DEBTOR: 'receivable.debtor_document',
  DEBTOR_GROUP: 'receivable.debtor_group',
  ASSIGNOR: 'coalesce(receivable.assignor_document, batch.originator_id::text)',
  TYPE: 'receivable.type',
  UF: `coalesce(receivable.debtor_uf, '')`,
  AVERAGE_TERM: `''`,
};

/** SQL of the open receivables of an estate. Only assignors need their batches. */
function portfolio(kind?: LimitKind): string {
  const batches = kind === 'ASSIGNOR' ? 'JOIN credit_assignment.credit_batches AS batch ON batch.id = batch_id' : '';
  return `FROM credit_assignment.receivables AS receivable ${batches}
    WHERE receivable.patrimony_id = $1 AND receivable.status = 'OPEN' AND receivable.written_off_at IS NULL`;
}

/** SQL of what counts in a limit. An average divides the days of all by their amounts. */
function weight(kind: LimitKind): string {
  return kind === 'AVERAGE_TERM'
    ? 'open_balance * greatest(coalesce(renegotiated_due_date, due_date) - $2::date, 0)'
    : 'open_balance';
}

/** The open balance of one subject of a limit, in BRL; of AVERAGE_TERM, multiplied by the days until it is due. */
export interface Load {
  readonly subject: string;
  readonly load: string;
}

export async function portfolioTotal({ manager }: Context, patrimonyId: string): Promise<string> {
  return (await manager.value<string>(`SELECT sum(open_balance) ${portfolio()}`, [patrimonyId])) ?? '0';
}

/** Subjects per statement: building the text of a longer list takes too long. */
const subjectsPerStatement = 5_000;

/** Returns the group of a debtor: the root of a CNPJ; a CPF is a group of its own. */
export function groupOf(debtorDocument: string): string {
  return debtorDocument.length === 14 ? debtorDocument.slice(0, 8) : debtorDocument;
}

/** Includes others in the groups of given debtors. @param today civil date in São Paulo */
export async function loadsOf(
  { manager }: Context,
  { patrimonyId, today, kind }: { readonly patrimonyId: string; readonly today: string; readonly kind: LimitKind },
  names: readonly string[],
): Promise<Load[]> {
  const loads: Load[] = [];
  // Debtors are found by an index that begins with their groups.
  const isDebtor = kind === 'DEBTOR';
  const wanted = isDebtor ? [...new Set(names.map(groupOf))] : names;
  const found = isDebtor ? subjects.DEBTOR_GROUP : subjects[kind];
  for (let start = 0; start < wanted.length; start += subjectsPerStatement)
    loads.push(
      ...(await manager.rows<Load>(
        `SELECT ${subjects[kind]} AS subject, sum(${weight(kind)}) AS load ${portfolio(kind)} AND $2::date IS NOT NULL
           AND ${found} = ANY ($3::text[]) GROUP BY 1`,
        [patrimonyId, today, wanted.slice(start, start + subjectsPerStatement)],
      )),
    );
  return loads;
}

/** Returns the subjects of a limit of which an estate has most, in this order. */
export function largestLoads(
  { manager }: Context,
  { patrimonyId, today, kind }: { readonly patrimonyId: string; readonly today: string; readonly kind: LimitKind },
  type: string | null,
  most: number,
): Promise<Load[]> {
  return manager.rows(
    `SELECT ${subjects[kind]} AS subject, sum(${weight(kind)}) AS load ${portfolio(kind)} AND $2::date IS NOT NULL
       AND ($3::text IS NULL OR receivable.type = $3) GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT $4`,
    [patrimonyId, today, type, most],
  );
}

/** Returns the subjects of a limit of which one of the originators has assigned receivables to the estate. */
export function subjectsOf(
  { manager }: Context,
  { patrimonyId, kind }: { readonly patrimonyId: string; readonly kind: LimitKind },
  originatorIds: readonly string[],
  names: readonly string[],
): Promise<string[]> {
  return manager.values(
    `SELECT DISTINCT ${subjects[kind]} ${portfolio('ASSIGNOR')} AND batch.originator_id = ANY ($2::uuid[]) AND ${subjects[kind]} = ANY ($3::text[])`,
    [patrimonyId, originatorIds, names],
  );
}
