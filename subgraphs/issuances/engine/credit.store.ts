import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { arraysOf } from '../../../shared/kernel/group-by.js';
import { stageRetracted } from '../../../shared/import/write/retract.js';
import { stageOf } from '../../../shared/import/write/sql.js';
import { contracts } from '../import/model/credits.js';
import type { ContractStatus } from '../inventory/generalize.js';

/** A credit that an originator assigned, as tokenization announced it. Amounts in BRL, days `YYYY-MM-DD`. */
export interface Credit {
  readonly id: string;
  readonly status: ContractStatus;
  readonly type: string;
  readonly debtorName: string;
  readonly debtorDocument: string;
  readonly originalValue: string;
  readonly balance: string;
  readonly rate: string;
  readonly installments: number;
  readonly paidInstallments: number;
  readonly assignedOn: string;
  readonly nextDueDate: string | null;
  readonly finalDueDate: string;
}

/** A credit with its estate, and the number of the event that announced it. */
export interface BookedCredit {
  readonly credit: Credit;
  readonly patrimonyId: string;
  readonly sequence: number;
}

export interface NamedEstate {
  readonly id: string;
  readonly operationTicker: string | null;
}

/** Returns the estates that name another operation than before. Runs before `estate_slugs` takes the new name. */
export function movedEstates({ manager }: Context, estates: readonly NamedEstate[]): Promise<NamedEstate[]> {
  return manager.rows(
    `SELECT e.id, e.ticker AS "operationTicker" FROM unnest($1::uuid[], $2::text[]) AS e (id, ticker)
     LEFT JOIN issuances.estate_slugs s ON s.patrimony_id = e.id
     WHERE lower(s.operation_ticker) IS DISTINCT FROM lower(e.ticker) ORDER BY e.id`,
    arraysOf(estates, 'id', 'operationTicker'),
  );
}

export function estatesOf({ manager }: Context, operationIds: readonly string[]): Promise<string[]> {
  if (operationIds.length === 0) return Promise.resolve([]);
  return manager.values(
    `SELECT e.patrimony_id FROM issuances.estate_slugs e JOIN issuances.operations o ON lower(o.ticker) = lower(e.operation_ticker)
     WHERE o.id = ANY ($1::uuid[])`,
    [operationIds],
  );
}

const ofOperation = `JOIN issuances.estate_slugs e ON e.patrimony_id = n.patrimony_id
  JOIN issuances.operations o ON lower(o.ticker) = lower(e.operation_ticker)`;

/** Returns credits of operations whose state is newer than the one that was written last. */
export async function newerCredits(
  { manager }: Context,
  booked: readonly BookedCredit[],
): Promise<readonly BookedCredit[]> {
  const ids = await manager.values<string>(
    `SELECT n.id FROM unnest($1::uuid[], $2::uuid[], $3::bigint[]) AS n (id, patrimony_id, sequence) ${ofOperation}
     LEFT JOIN issuances.credit_contracts c ON c.operation_id = o.id AND c.external_id = n.id::text
     WHERE c.engine_sequence IS NULL OR c.engine_sequence < n.sequence`,
    [booked.map(({ credit }) => credit.id), ...arraysOf(booked, 'patrimonyId', 'sequence')],
  );
  const newer = new Set(ids);
  return booked.filter(({ credit }) => newer.has(credit.id));
}

/** Marks for removal the contracts of estates that name another operation, or none. */
export async function stageLeftCredits({ manager }: Context, estates: readonly NamedEstate[]): Promise<void> {
  const ids = estates.map(({ id }) => id);
  const left = 'SELECT * FROM issuances.credit_contracts WHERE engine_patrimony_id = ANY ($1::uuid[])';
  await stageRetracted(manager, contracts, left, ids);
}

/** Stages credits as contracts. Their external id is the id of the asset: an originator's own may be taken by another contract. */
export async function stageCredits({ manager, clock }: Context, booked: readonly BookedCredit[]): Promise<void> {
  await manager.execute(
    `INSERT INTO ${stageOf(contracts)} (path, position, id, owner_operation, external_id, debtor_name, debtor_document, type, status, original_value,
       outstanding_balance, indexer, rate, issue_date, maturity_date, installments, paid_installments, days_late, position_date, written_off_date,
       engine_patrimony_id, engine_sequence, next_due_date)
     SELECT '', 0, n.id, o.ticker, n.id::text, n.debtor_name, n.debtor_document, n.type, n.status, n.original_value,
       CASE n.status WHEN 'SETTLED' THEN 0 ELSE n.balance END, 'PREFIXED', n.rate, least(n.assigned_on, n.final_due_date), n.final_due_date,
       n.installments, n.paid_installments, CASE n.status WHEN 'SETTLED' THEN 0 ELSE greatest($2::date - n.next_due_date, 0) END,
       $2::date, CASE n.status WHEN 'WRITTEN_OFF' THEN coalesce(c.written_off_date, $2::date) END, n.patrimony_id, n.sequence, n.next_due_date
     FROM ROWS FROM (
       jsonb_to_recordset($1::jsonb) AS (id uuid, "debtorName" text, "debtorDocument" text, type text, status text, "originalValue" numeric, balance numeric,
         rate numeric, "assignedOn" date, "finalDueDate" date, "nextDueDate" date, installments integer, "paidInstallments" integer),
       unnest($3::uuid[]), unnest($4::bigint[])) AS n (id, debtor_name, debtor_document, type, status, original_value, balance, rate, assigned_on,
       final_due_date, next_due_date, installments, paid_installments, patrimony_id, sequence)
     ${ofOperation} LEFT JOIN issuances.credit_contracts c ON c.id = n.id`,
    [
      JSON.stringify(booked.map(({ credit }) => credit)),
      civilDate(clock.now()),
      ...arraysOf(booked, 'patrimonyId', 'sequence'),
    ],
  );
}
