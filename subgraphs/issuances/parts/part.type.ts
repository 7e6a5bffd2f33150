import { ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import {
  obligationLabels,
  periodicityLabels,
  type CommunicationKind,
  type ObligationStatus,
  type Periodicity,
} from './obligation.js';
import { day, fields, id, int, nullable, of, text, texts, time } from '../../../shared/graphql/fields.js';

@ObjectType({ simpleResolvers: true, description: 'A meeting of the holders.' })
export class Assembly extends fields({
  id: id('Id (UUID)'),
  date: day('Date'),
  type: text('Type, a free label'),
  title: text('Title'),
  call: nullable.text('Call: 1ª convocação…'),
  status: text('Status, a free label'),
  agenda: text('Agenda; may be empty'),
  resolution: nullable.text('Resolution of the meeting'),
  quorumPercent: nullable.decimal('Share of the holders present, in percent'),
  url: nullable.text('URL of the minutes or the call'),
}) {}

export const CommunicationKindEnum = describeEnum<CommunicationKind>(
  'CommunicationKind',
  'Kind of a communication to the holders.',
  {
    NOTICE: 'Notice (comunicado)',
    MATERIAL_FACT: 'Material fact (fato relevante)',
  },
  { NOTICE: ['Comunicado', 'Notice'], MATERIAL_FACT: ['Fato relevante', 'Material fact'] },
);

@ObjectType({ simpleResolvers: true, description: 'A notice or material fact.' })
export class Communication extends fields({
  id: id('Id (UUID)'),
  kind: of(() => CommunicationKindEnum, 'Kind of the communication'),
  date: day('Date'),
  title: text('Title'),
  description: text('Text; may be empty'),
  correctedAt: nullable.time('Time of its last correction; null while it is as it was published'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A public document of an operation.' })
export class OperationDocument extends fields({
  id: id('Id (UUID)'),
  name: nullable.text('Name'),
  type: nullable.text('Type, a free label'),
  url: nullable.text('Public URL of the file'),
  referenceDate: nullable.day('Day to which the content refers'),
  createdAt: time('Time of publication'),
}) {}

export const ObligationStatusEnum = describeEnum<ObligationStatus>(
  'ObligationStatus',
  'Status of an obligation of a debtor as of today.',
  {
    PENDING: 'Not delivered, and not late',
    OVERDUE: 'Not delivered within its days of grace',
    DELIVERED: 'Delivered within its days of grace',
    DELIVERED_LATE: 'Delivered after its days of grace',
    WAIVED: 'The holders waived it',
  },
  obligationLabels,
);

export const PeriodicityEnum = describeEnum<Periodicity>(
  'Periodicity',
  'Interval at which an obligation recurs.',
  {
    ONCE: 'Never',
    MONTHLY: 'Every month',
    QUARTERLY: 'Every three months',
    SEMIANNUAL: 'Every six months',
    ANNUAL: 'Every year',
  },
  periodicityLabels,
);

@ObjectType({ simpleResolvers: true, description: 'A delivery that a debtor owes according to the deed.' })
export class Obligation extends fields({
  id: id('Id (UUID)'),
  title: text('Object of the delivery'),
  description: text('Description; may be empty'),
  responsible: nullable.text('Party that has to deliver'),
  periodicity: of(() => PeriodicityEnum, 'Interval at which it recurs'),
  dueDate: day('Due date'),
  graceDays: int('Calendar days after the due date in which a delivery still counts as punctual'),
  deliveredDate: nullable.day('Day of the delivery'),
  waivedDate: nullable.day('Day on which the holders waived it'),
  status: of(() => ObligationStatusEnum, 'Status as of today'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A guarantee of an operation.' })
export class Guarantee extends fields({
  id: id('Id (UUID)'),
  type: text('Type: Alienação fiduciária, Fiança…'),
  description: text('Description; may be empty'),
  status: text('Status, a free label'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A company with a role in an operation.' })
export class Participant extends fields({
  id: id('Id (UUID)'),
  name: text('Name'),
  logoUrl: nullable.text('URL of its logo'),
  functions: texts('Its roles in the operation'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A bank account of an operation.' })
export class OperationAccount extends fields({
  id: id('Id (UUID)'),
  purpose: text('Purpose of the account: Conta centralizadora, Fundo de reserva…'),
  bank: text('Bank'),
  branch: nullable.text('Branch'),
  accountNumber: nullable.text('Number'),
  balance: nullable.decimal('Balance'),
  minimumBalance: nullable.decimal('Minimum balance that the deed requires'),
  balanceDate: nullable.day('Day of the balance'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'An investment that is permitted for the cash of an operation.' })
export class PermittedInvestment extends fields({
  id: id('Id (UUID)'),
  description: text('Kind of investment'),
  institution: nullable.text('Institution'),
  limitPercent: nullable.decimal('Maximum share of the available cash, in percent'),
  investedAmount: nullable.decimal('Invested amount'),
  positionDate: nullable.day('Day of the invested amount'),
}) {}
