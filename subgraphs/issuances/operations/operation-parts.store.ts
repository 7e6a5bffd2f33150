import { columnsOf } from '../../../shared/database/columns.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { Assembly } from '../assemblies/assembly.type.js';
import type { OperationAccount, PermittedInvestment } from '../cash/cash.type.js';
import type { Communication } from '../communications/communication.type.js';
import type { OperationDocument } from '../documents/document.type.js';
import type { Guarantee } from '../guarantees/guarantee.type.js';
import type { Obligation } from '../obligations/obligation.type.js';
import type { Participant } from '../participants/participant.type.js';
import type { Payment } from '../payments/operation-payment.type.js';
import { byOperation } from './by-operation.js';

/** The row of a part of an operation: the fields of its GraphQL type but those that are computed, and the operation. */
type PartRow<T, Computed extends keyof T = never> = Omit<Shape<T>, Computed> & { readonly operationId: string };

export type AssemblyRow = PartRow<Assembly>;
export type OperationAccountRow = PartRow<OperationAccount>;
export type PermittedInvestmentRow = PartRow<PermittedInvestment>;
export type ObligationRow = PartRow<Obligation, 'status'>;
export type PaymentRow = PartRow<Payment, 'seriesTicker' | 'status'> & { readonly seriesId: string | null };

const guarantee = columnsOf<PartRow<Guarantee>>()('id operationId type description status');

export const guaranteesOf = byOperation<PartRow<Guarantee>>(
  `SELECT ${guarantee} FROM issuances.guarantees WHERE operation_id = ANY ($1) ORDER BY position, id`,
);

const participant = columnsOf<PartRow<Participant>>()('id operationId name logoUrl functions');

export const participantsOf = byOperation<PartRow<Participant>>(
  `SELECT ${participant} FROM issuances.participants WHERE operation_id = ANY ($1) ORDER BY position, id`,
);

const account = columnsOf<OperationAccountRow>()(
  'id operationId purpose bank branch accountNumber balance minimumBalance balanceDate::text',
);

export const accountsOf = byOperation<OperationAccountRow>(
  `SELECT ${account} FROM issuances.operation_accounts WHERE operation_id = ANY ($1) ORDER BY purpose, id`,
);

const investment = columnsOf<PermittedInvestmentRow>()(
  'id operationId description institution limitPercent investedAmount positionDate::text',
);

export const permittedInvestmentsOf = byOperation<PermittedInvestmentRow>(
  `SELECT ${investment} FROM issuances.permitted_investments WHERE operation_id = ANY ($1) ORDER BY description, id`,
);

const assembly = columnsOf<AssemblyRow>()(
  'id operationId date::text type title call status agenda resolution quorumPercent url',
);

/** Newest first. */
export const assembliesOf = byOperation<AssemblyRow>(
  `SELECT ${assembly} FROM issuances.assemblies WHERE operation_id = ANY ($1) ORDER BY assemblies.date DESC, id`,
);

const communication = columnsOf<PartRow<Communication, 'correctedAt'>>()(
  'id operationId kind date::text title description',
);

/** Newest first. */
export const communicationsOf = byOperation<PartRow<Communication>>(
  `SELECT ${communication}, CASE WHEN record_version > 1 THEN recorded_at END AS "correctedAt"
   FROM issuances.communications WHERE operation_id = ANY ($1) ORDER BY communications.date DESC, id`,
);

const document = columnsOf<PartRow<OperationDocument>>()('id operationId name type url referenceDate::text createdAt');

/** A public document with its time in microseconds, by which the list is sorted. */
export type DocumentRow = PartRow<OperationDocument> & { readonly exactCreatedAt: string };

/** Returns the public documents, newest first. Nothing loads the others. */
export const publicDocumentsOf = byOperation<DocumentRow>(
  `SELECT ${document}, created_at::text AS "exactCreatedAt" FROM issuances.documents WHERE operation_id = ANY ($1) AND is_public ORDER BY created_at DESC, id`,
);

const obligation = columnsOf<ObligationRow>()(
  'id operationId title description responsible periodicity dueDate::text graceDays deliveredDate::text waivedDate::text',
);

export const obligationsOf = byOperation<ObligationRow>(
  `SELECT ${obligation} FROM issuances.obligations WHERE operation_id = ANY ($1) ORDER BY due_date, id`,
);

const payment = columnsOf<PaymentRow>()(
  'id operationId seriesId installmentNumber event dueDate::text paidDate::text interestValue principalValue',
  'totalValue',
);

export const paymentsOf = byOperation<PaymentRow>(
  `SELECT ${payment} FROM issuances.payments WHERE operation_id = ANY ($1) ORDER BY due_date, installment_number, id`,
);
