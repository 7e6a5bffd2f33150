import { Field, Int, ObjectType } from 'type-graphql';
import { DateScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { ObligationStatus } from '../obligations/obligation.js';
import { ObligationStatusEnum } from '../obligations/obligation.type.js';
import type { PaymentStatus } from '../../../shared/securities/payment-status.js';
import { PaymentStatusEnum } from '../../../shared/securities/payment-status.enum.js';

@ObjectType({ simpleResolvers: true, description: 'A guarantee of an operation.' })
export class Garantia {
  @Field(() => String, { description: 'Type: Alienação fiduciária, Fiança…' })
  tipo!: string;

  @Field(() => String, { description: 'Description' })
  descricao!: string;

  @Field(() => String, { description: 'Status, a free label' })
  status!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A delivery that a debtor owes according to the deed.' })
export class DetailObligation {
  @Field(() => String, { description: 'Object of the delivery' })
  titulo!: string;

  @Field(() => String, { description: 'Description; may be empty' })
  descricao!: string;

  @Field(() => String, { nullable: true, description: 'Party that has to deliver' })
  responsavel!: string | null;

  @Field(() => String, { description: 'Única, Mensal, Trimestral, Semestral or Anual' })
  periodicidade!: string;

  @Field(() => String, { description: 'Due date, `DD/MM/YYYY`' })
  dataVencimento!: string;

  @Field(() => String, { nullable: true, description: 'Delivery date, `DD/MM/YYYY`; null until it is delivered' })
  dataEntrega!: string | null;

  @Field(() => String, {
    description: 'Status as of today: Pendente, Em atraso, Entregue, Entregue com atraso or Dispensada',
  })
  status!: string;

  @Field(() => DateScalar, { description: 'Due date, `YYYY-MM-DD`' })
  dataVencimentoRaw!: string;

  @Field(() => DateScalar, { nullable: true, description: 'Delivery date, `YYYY-MM-DD`' })
  dataEntregaRaw!: string | null;

  @Field(() => ObligationStatusEnum, { description: 'Status as of today' })
  statusRaw!: ObligationStatus;
}

@ObjectType({ simpleResolvers: true, description: 'A payment to the holders.' })
export class DetailPayment {
  @Field(() => Int, { description: 'Number of the instalment' })
  installmentNumber!: number;

  @Field(() => String, { description: 'Due date, `DD/MM/YYYY`' })
  dueDate!: string;

  @Field(() => String, { description: 'Day of the payment, `DD/MM/YYYY`; `—` until it is made' })
  dataPagamento!: string;

  @Field(() => PaymentStatusEnum, { description: 'Status as of today' })
  status!: PaymentStatus;

  @Field(() => String, { description: 'Interest: `R$ 1.234.567,89`; `—` while it is not known' })
  interestValue!: string;

  @Field(() => String, { description: 'Principal; `—` while it is not known' })
  principalValue!: string;

  @Field(() => String, { nullable: true, description: 'Interest and principal; null while it is not known' })
  totalValue!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Ticker of the series; null for a payment of the whole operation',
  })
  trancheTicker!: string | null;

  @Field(() => String, { description: 'Kind of the payment, a free label: Juros, Amortização…' })
  evento!: string;

  @Field(() => DateScalar, { description: 'Due date, `YYYY-MM-DD`' })
  dueDateRaw!: string;

  @Field(() => DateScalar, { nullable: true, description: 'Day of the payment, `YYYY-MM-DD`' })
  dataPagamentoRaw!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Interest in BRL, 2 decimals; null while it is not known',
  })
  interestValueRaw!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Principal in BRL, 2 decimals; null while it is not known',
  })
  principalValueRaw!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Interest and principal in BRL, 2 decimals; null while it is not known',
  })
  totalValueRaw!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'A meeting of the holders.' })
export class Assembleia {
  @Field(() => String, { description: 'Date, `DD/MM/YYYY`' })
  data!: string;

  @Field(() => String, { description: 'Type, a free label' })
  tipo!: string;

  @Field(() => String, { description: 'Title' })
  titulo!: string;

  @Field(() => String, { nullable: true, description: 'Call: 1ª convocação…' })
  convocacao!: string | null;

  @Field(() => String, { description: 'Status, a free label' })
  status!: string;

  @Field(() => String, { description: 'Agenda; may be empty' })
  pauta!: string;

  @Field(() => String, { nullable: true, description: 'Resolution of the meeting' })
  deliberacao!: string | null;

  @Field(() => String, { nullable: true, description: 'Share of the holders present: `75,00%`' })
  quorum!: string | null;

  @Field(() => String, { nullable: true, description: 'URL of the minutes or the call' })
  url!: string | null;

  @Field(() => DateScalar, { description: 'Date, `YYYY-MM-DD`' })
  dataRaw!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A notice or material fact.' })
export class Notice {
  @Field(() => String, { description: 'Date, `DD/MM/YYYY`' })
  data!: string;

  @Field(() => String, { description: 'Title' })
  titulo!: string;

  @Field(() => String, { description: 'Text; may be empty' })
  descricao!: string;

  @Field(() => DateScalar, { description: 'Date, `YYYY-MM-DD`' })
  dataRaw!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A company with a role in an operation.' })
export class OperationParty {
  @Field(() => String, { description: 'Name' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'URL of its logo' })
  logoUrl!: string | null;

  @Field(() => [String], { description: 'Its roles in the operation' })
  functions!: readonly string[];
}
