import { Directive, Field, ObjectType, Int } from 'type-graphql';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import { OperationCard, SeriesSummary } from '../cards/card.type.js';
import { BlockchainData, TrusteeComparison, OperationFinance, SeriesPricing } from './detail-chain.type.js';
import type { ObligationStatus } from '../obligations/obligation.js';
import { ObligationStatusEnum } from '../obligations/obligation.type.js';
import { type PaymentStatus, PaymentStatusEnum } from '../../securities/payments.js';

// Fields of docs/contract/issuances.md §3.2. Values are display strings in Brazilian format unless a field is named
// `…Raw`.

@ObjectType({ simpleResolvers: true, description: 'A series in the detail of its operation.' })
export class SeriesDetail extends SeriesSummary {
  @Field(() => String, { description: 'Status, a free label' })
  status!: string;

  @Field(() => String, { description: 'Unit value at issue: `R$ 1.000,00000000`' })
  valorNominalUnitario!: string;

  @Field(() => String, { description: 'Number of issued units: `150.000`' })
  quantidade!: string;

  @Field(() => String, { nullable: true, description: 'Number of subscribed units' })
  quotasSubscritas!: string | null;

  @Field(() => String, { nullable: true, description: 'Raised amount: `R$ 1.234.567,89`' })
  valorCaptado!: string | null;

  @Field(() => DecimalScalar, { description: 'Unit value at issue in BRL, 8 decimals' })
  valorNominalUnitarioRaw!: string;

  @Field(() => DecimalScalar, { description: 'Number of issued units, a whole number' })
  quantidadeRaw!: string;

  @Field(() => DecimalScalar, { nullable: true, description: 'Raised amount in BRL, 2 decimals' })
  valorCaptadoRaw!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'Purpose and offering of an operation.' })
export class OperationSummary {
  @Field(() => String, { description: 'Description' })
  descricao!: string;

  @Field(() => String, { nullable: true, description: 'Segment of the economy' })
  segmento!: string | null;

  @Field(() => String, { nullable: true, description: 'Use of proceeds' })
  destinacao!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Offering: the rule and procedure under which the operation was placed',
  })
  oferta!: string | null;

  @Field(() => [String], { description: 'Highlights' })
  destaques!: readonly string[];
}

@ObjectType({ simpleResolvers: true, description: 'A public document of an operation.' })
export class PublicDocument {
  @Field(() => String, { nullable: true, description: 'Name' })
  name!: string | null;

  @Field(() => String, { nullable: true, description: 'Type, a free label' })
  type!: string | null;

  @Field(() => String, { nullable: true, description: 'Public URL of the file' })
  url!: string | null;

  @Field(() => DateTimeScalar, { description: 'Time of publication' })
  createdAt!: Date;

  @Field(() => DateScalar, { nullable: true, description: 'Day to which the content refers, `YYYY-MM-DD`' })
  referenceDate!: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A securitization operation with all published data about it.',
})
export class OperationDetail extends OperationCard {
  @Directive('@listSize(assumedSize: 4)')
  @Field(() => [SeriesDetail], { description: 'Its series, by number' })
  override series!: readonly SeriesDetail[];

  @Field(() => String, { description: 'Remuneration in words; `—` without series' })
  remuneracao!: string;

  @Field(() => String, { nullable: true, description: 'Issuer' })
  emissora!: string | null;

  @Field(() => String, { nullable: true, description: 'CNPJ of the issuer, `12.345.678/0001-95`' })
  emissoraCnpj!: string | null;

  @Field(() => String, { nullable: true, description: 'Trustee' })
  agenteFiduciario!: string | null;

  @Field(() => String, { nullable: true, description: 'Lead coordinator' })
  coordenadorLider!: string | null;

  @Field(() => String, { nullable: true, description: 'Bookkeeper' })
  escriturador!: string | null;

  @Field(() => String, { nullable: true, description: 'Auditor' })
  auditor!: string | null;

  @Field(() => String, { nullable: true, description: 'Backing asset' })
  lastro!: string | null;

  @Field(() => String, { nullable: true, description: 'Rating' })
  rating!: string | null;

  @Field(() => String, {
    description: 'Maturity date, `DD/MM/YYYY`: the latest of its series where none is given; `—` without series',
  })
  dataVencimento!: string;

  @Field(() => DateScalar, { nullable: true, description: 'The same date, `YYYY-MM-DD`; null without series' })
  dataVencimentoRaw!: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Issue date, `YYYY-MM-DD`' })
  dataEmissaoRaw!: string | null;

  @Field(() => String, { description: 'Issued volume, which is the sum of the series: `R$ 1.234.567,89`' })
  volume!: string;

  @Field(() => DecimalScalar, { description: 'Issued volume in BRL, 2 decimals' })
  volumeRaw!: string;

  @Field(() => OperationSummary, { nullable: true, description: 'Purpose of the operation' })
  summary!: OperationSummary | null;

  @Field(() => [Garantia], { description: 'Guarantees of the operation' })
  garantias!: readonly Garantia[];

  // Those of a period: detail-period.resolver.ts
  @Directive('@listSize(assumedSize: 200)')
  @Field(() => [PublicDocument], { description: 'Its public documents, newest first' })
  documents!: readonly PublicDocument[];

  @Directive('@listSize(assumedSize: 200)')
  @Field(() => [DetailObligation], {
    description: 'Deliveries that the debtors owe, by due date, with their status as of today',
  })
  obligations!: readonly DetailObligation[];

  @Directive('@listSize(assumedSize: 4)')
  @Field(() => [SeriesPricing], {
    description: 'Unit prices of each series: the current one, the two before it, and the history',
  })
  precificacao!: readonly SeriesPricing[];

  @Field(() => OperationFinance, { description: 'Accounts and permitted investments' })
  financeiro!: OperationFinance;

  @Directive('@listSize(assumedSize: 200)')
  @Field(() => [DetailPayment], { description: 'Payments to the holders, by due date' })
  pagamentos!: readonly DetailPayment[];

  @Directive('@listSize(assumedSize: 50)')
  @Field(() => [Assembleia], { description: 'Meetings of the holders, newest first' })
  assembleias!: readonly Assembleia[];

  @Directive('@listSize(assumedSize: 100)')
  @Field(() => [Notice], { description: 'Notices and material facts, newest first' })
  comunicacao!: readonly Notice[];

  @Field(() => BlockchainData, { description: 'Contracts on public chains, and their events' })
  blockchain!: BlockchainData;

  @Field(() => [OperationParty], { description: 'Companies with a role in the operation' })
  participants!: readonly OperationParty[];

  @Field(() => Boolean, { description: 'Whether a trustee firm publishes its own unit price for the operation' })
  otIntegrado!: boolean;

  @Directive('@listSize(assumedSize: 4)')
  @Field(() => [TrusteeComparison], {
    description:
      'Comparison of the unit prices of the issuer and of the trustee firm, for each series with a price of the latter',
  })
  otData!: readonly TrusteeComparison[];

  @Field(() => DateTimeScalar, {
    description: 'Time at which the detail was computed (UTC); it is recomputed when any data changes',
  })
  generatedAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'A guarantee of an operation.' })
class Garantia {
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

  @Field(() => String, {
    nullable: true,
    description: 'Interest and principal, or the premium of an event; null while it is not known',
  })
  totalValue!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'What is not paid of it: `R$ 0,00` once it is PAID; null while it is not known',
  })
  openValue!: string | null;

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

  @Field(() => DecimalScalar, { nullable: true, description: 'What is not paid of it in BRL, 2 decimals' })
  openValueRaw!: string | null;
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
class OperationParty {
  @Field(() => String, { description: 'Name' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'URL of its logo' })
  logoUrl!: string | null;

  @Field(() => [String], { description: 'Its roles in the operation' })
  functions!: readonly string[];
}
