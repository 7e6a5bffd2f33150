import { Directive, Field, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../../../shared/graphql/scalars.js';
import { OperationCard, SeriesSummary } from '../cards/card.type.js';
import { BlockchainData, TrusteeComparison, OperationFinance, SeriesPricing } from './detail-chain.type.js';
import { ObligationStatusEnum } from '../parts/part.type.js';
import { PaymentStatusEnum } from '../../securities/payments.js';
import {
  day,
  decimal,
  fields,
  flag,
  int,
  list,
  nullable,
  of,
  text,
  texts,
  time,
} from '../../../shared/graphql/fields.js';

// Fields of docs/contract/issuances.md §3.2. Values are display strings in Brazilian format unless a field is named
// `…Raw`.

@ObjectType({ simpleResolvers: true, description: 'A series in the detail of its operation.' })
export class SeriesDetail extends fields(
  {
    status: text('Status, a free label'),
    valorNominalUnitario: text('Unit value at issue: `R$ 1.000,00000000`'),
    quantidade: text('Number of issued units: `150.000`'),
    quotasSubscritas: nullable.text('Number of subscribed units'),
    valorCaptado: nullable.text('Raised amount: `R$ 1.234.567,89`'),
    valorNominalUnitarioRaw: decimal('Unit value at issue in BRL, 8 decimals'),
    quantidadeRaw: decimal('Number of issued units, a whole number'),
    valorCaptadoRaw: nullable.decimal('Raised amount in BRL, 2 decimals'),
  },
  SeriesSummary,
) {}

@ObjectType({ simpleResolvers: true, description: 'Purpose and offering of an operation.' })
export class OperationSummary extends fields({
  descricao: text('Description'),
  segmento: nullable.text('Segment of the economy'),
  destinacao: nullable.text('Use of proceeds'),
  oferta: nullable.text('Offering: the rule and procedure under which the operation was placed'),
  destaques: texts('Highlights'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A public document of an operation.' })
export class PublicDocument extends fields({
  name: nullable.text('Name'),
  type: nullable.text('Type, a free label'),
  url: nullable.text('Public URL of the file'),
  createdAt: time('Time of publication'),
  referenceDate: nullable.day('Day to which the content refers, `YYYY-MM-DD`'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A securitization operation with all published data about it.' })
export class OperationDetail extends fields(
  {
    remuneracao: text('Remuneration in words; `—` without series'),
    emissora: nullable.text('Issuer'),
    emissoraCnpj: nullable.text('CNPJ of the issuer, `12.345.678/0001-95`'),
    agenteFiduciario: nullable.text('Trustee'),
    coordenadorLider: nullable.text('Lead coordinator'),
    escriturador: nullable.text('Bookkeeper'),
    auditor: nullable.text('Auditor'),
    lastro: nullable.text('Backing asset'),
    rating: nullable.text('Rating'),
    dataVencimento: text(
      'Maturity date, `DD/MM/YYYY`: the latest of its series where none is given; `—` without series',
    ),
    dataVencimentoRaw: nullable.day('The same date, `YYYY-MM-DD`; null without series'),
    dataEmissaoRaw: nullable.day('Issue date, `YYYY-MM-DD`'),
    volume: text('Issued volume, which is the sum of the series: `R$ 1.234.567,89`'),
    volumeRaw: decimal('Issued volume in BRL, 2 decimals'),
    summary: nullable.of(() => OperationSummary, 'Purpose of the operation'),
    garantias: list(() => Garantia, 'Guarantees of the operation'),
  },
  OperationCard,
) {
  @Directive('@listSize(assumedSize: 4)')
  @Field(() => [SeriesDetail], { description: 'Its series, by number' })
  override series!: readonly SeriesDetail[];

  // Documents of a period: `DetailPeriod`.
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
class Garantia extends fields({
  tipo: text('Type: Alienação fiduciária, Fiança…'),
  descricao: text('Description'),
  status: text('Status, a free label'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A delivery that a debtor owes according to the deed.' })
export class DetailObligation extends fields({
  titulo: text('Object of the delivery'),
  descricao: text('Description; may be empty'),
  responsavel: nullable.text('Party that has to deliver'),
  periodicidade: text('Única, Mensal, Trimestral, Semestral or Anual'),
  dataVencimento: text('Due date, `DD/MM/YYYY`'),
  dataEntrega: nullable.text('Delivery date, `DD/MM/YYYY`; null until it is delivered'),
  status: text('Status as of today: Pendente, Em atraso, Entregue, Entregue com atraso or Dispensada'),
  dataVencimentoRaw: day('Due date, `YYYY-MM-DD`'),
  dataEntregaRaw: nullable.day('Delivery date, `YYYY-MM-DD`'),
  statusRaw: of(() => ObligationStatusEnum, 'Status as of today'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A payment to the holders.' })
export class DetailPayment extends fields({
  installmentNumber: int('Number of the instalment'),
  dueDate: text('Due date, `DD/MM/YYYY`'),
  dataPagamento: text('Day of the payment, `DD/MM/YYYY`; `—` until it is made'),
  status: of(() => PaymentStatusEnum, 'Status as of today'),
  interestValue: text('Interest: `R$ 1.234.567,89`; `—` while it is not known'),
  principalValue: text('Principal; `—` while it is not known'),
  totalValue: nullable.text('Interest and principal, or the premium of an event; null while it is not known'),
  openValue: nullable.text('What is not paid of it: `R$ 0,00` once it is PAID; null while it is not known'),
  projected: flag(
    'Whether its amounts are what the pricing engine expects: exactly for a fixed rate; for an index, with its newest rate or number held constant',
  ),
  trancheTicker: nullable.text('Ticker of the series; null for a payment of the whole operation'),
  evento: text('Kind of the payment, a free label: Juros, Amortização…'),
  dueDateRaw: day('Due date, `YYYY-MM-DD`'),
  dataPagamentoRaw: nullable.day('Day of the payment, `YYYY-MM-DD`'),
  interestValueRaw: nullable.decimal('Interest in BRL, 2 decimals; null while it is not known'),
  principalValueRaw: nullable.decimal('Principal in BRL, 2 decimals; null while it is not known'),
  totalValueRaw: nullable.decimal('Interest and principal in BRL, 2 decimals; null while it is not known'),
  openValueRaw: nullable.decimal('What is not paid of it in BRL, 2 decimals'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A meeting of the holders.' })
export class Assembleia extends fields({
  data: text('Date, `DD/MM/YYYY`'),
  tipo: text('Type, a free label'),
  titulo: text('Title'),
  convocacao: nullable.text('Call: 1ª convocação…'),
  status: text('Status, a free label'),
  pauta: text('Agenda; may be empty'),
  deliberacao: nullable.text('Resolution of the meeting'),
  quorum: nullable.text('Share of the holders present: `75,00%`'),
  url: nullable.text('URL of the minutes or the call'),
  dataRaw: day('Date, `YYYY-MM-DD`'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A notice or material fact.' })
export class Notice extends fields({
  data: text('Date, `DD/MM/YYYY`'),
  titulo: text('Title'),
  descricao: text('Text; may be empty'),
  dataRaw: day('Date, `YYYY-MM-DD`'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A company with a role in an operation.' })
class OperationParty extends fields({
  name: text('Name'),
  logoUrl: nullable.text('URL of its logo'),
  functions: texts('Its roles in the operation'),
}) {}
