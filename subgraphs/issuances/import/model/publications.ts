import { date, instant } from '../../../../shared/import/model/date-values.js';
import { kind, optional, required } from '../../../../shared/import/model/kind.js';
import { decimal, integer } from '../../../../shared/import/model/number-values.js';
import { notInTheFuture } from '../../../../shared/import/model/rules.js';
import { flag, label, oneOf, text, texts, url } from '../../../../shared/import/model/text-values.js';
import { communicationKinds, periodicities } from '../../parts/obligation.js';
import { ofOperation } from './operations.js';

/** Defines `externalId`, for records that have an id in the operator's own source. */
export const externalId = (of: string) =>
  optional(
    'externalId',
    label,
    `Identifier of the record in your own system. When absent, it is derived from ${of}; a change of these creates a different record.`,
    'A-1024',
  );

export const guarantees = kind('guarantees', {
  label: 'guarantee',
  description: 'Guarantees, in the order in which they are displayed. REST: garantias.',
  table: 'issuances.guarantees',
  parent: ofOperation,
  key: ['externalId'],
  replaces: true,
  ordered: true,
  identity: ['type', 'description'],
  fields: [
    externalId('type and description'),
    required('type', label, 'REST: tipo.', 'Alienação fiduciária de imóvel'),
    optional('description', text(), 'REST: descricao.', 'Matrículas 10.001 a 10.120 do 3º Registro de Imóveis.', {
      fallback: '',
    }),
    required('status', label, 'A free label.', 'Constituída'),
  ],
});

export const documents = kind('documents', {
  label: 'document',
  description: 'Documents of the operation; only those flagged public are published.',
  table: 'issuances.documents',
  parent: ofOperation,
  newest: `(max(coalesce(reference_date, (created_at AT TIME ZONE 'America/Sao_Paulo')::date)) FILTER (WHERE is_public))::text`,
  key: ['externalId'],
  replaces: true,
  identity: ['url', 'name', 'createdAt'],
  fields: [
    externalId('url, name and createdAt'),
    required('public', flag, 'Whether the document is published. There is no default.', true, { column: 'is_public' }),
    optional('name', text({ maxLength: 300 }), 'Name as displayed.', 'Termo de securitização'),
    optional('type', label, 'Type as displayed.', 'Termo'),
    optional('url', url, 'URL of the file.', 'https://documentos.lastro.example/aurora/termo.pdf'),
    optional('referenceDate', date, 'Day to which the content refers.', '2026-10-31'),
    required('createdAt', instant, 'Time of publication.', '2026-11-05T14:30:00-03:00'),
  ],
});

export const obligations = kind('obligations', {
  label: 'obligation',
  description: 'Deliveries that debtors owe. Their status is computed from these values and the current day.',
  table: 'issuances.obligations',
  parent: ofOperation,
  key: ['externalId'],
  replaces: true,
  identity: ['title', 'dueDate'],
  fields: [
    externalId('title and dueDate'),
    required('title', text({ maxLength: 300 }), 'Object of the delivery.', 'Relatório de medição de obra'),
    optional('description', text(), 'Description of the delivery.', null, { fallback: '' }),
    optional('responsible', label, 'Party that has to deliver.', 'Devedora'),
    required('periodicity', oneOf(...periodicities), 'Interval at which it falls due.', 'MONTHLY'),
    required('dueDate', date, 'Due date of this delivery.', '2026-11-30'),
    optional(
      'graceDays',
      integer(0),
      'Days of grace: calendar days after dueDate in which a delivery still counts as punctual; 0 when absent.',
      5,
      { fallback: '0' },
    ),
    optional('deliveredDate', date, 'Day of the delivery, which cannot be in the future.', null),
    optional('waivedDate', date, 'Day on which the holders waived it, which cannot be in the future.', null),
  ],
  rules: [notInTheFuture('deliveredDate'), notInTheFuture('waivedDate')],
});

export const assemblies = kind('assemblies', {
  label: 'assembly',
  description: 'Assemblies of the holders. REST: assembleias.',
  table: 'issuances.assemblies',
  parent: ofOperation,
  key: ['externalId'],
  replaces: true,
  identity: ['date', 'title', 'call'],
  fields: [
    externalId('date, title and call'),
    required('date', date, 'Day of the meeting.', '2026-09-10'),
    required('type', label, 'A free label.', 'Assembleia geral de titulares'),
    required(
      'title',
      text({ maxLength: 300 }),
      'Subject of the meeting, in one line.',
      'Aprovação das demonstrações financeiras',
    ),
    optional('call', label, 'First or second call.', '1ª convocação'),
    required('status', label, 'A free label.', 'Realizada'),
    optional('agenda', text(), 'Agenda.', 'Deliberar sobre as contas de 2025.', { fallback: '' }),
    optional('resolution', text(), 'Resolution of the meeting.', 'Aprovada por unanimidade dos presentes.'),
    optional(
      'quorumPercent',
      decimal(9, 4, { min: '0', max: '100' }),
      'Share of the holders present, in percent.',
      '82.5',
    ),
    optional('url', url, 'URL of the minutes.', null),
  ],
});

export const communications = kind('communications', {
  label: 'communication',
  description: 'Notices and material facts. REST: comunicacao.',
  table: 'issuances.communications',
  parent: ofOperation,
  newest: 'max(date)::text',
  key: ['externalId'],
  replaces: true,
  identity: ['date', 'title'],
  fields: [
    externalId('date and title'),
    required('kind', oneOf(...communicationKinds), 'NOTICE or MATERIAL_FACT: a notice or a material fact.', 'NOTICE'),
    required('date', date, 'REST: data.', '2026-10-02'),
    required('title', text({ maxLength: 300 }), 'REST: titulo.', 'Aviso aos titulares'),
    optional('description', text(), 'REST: descricao.', 'Informamos o pagamento da 19ª parcela.', { fallback: '' }),
  ],
});

export const participants = kind('participants', {
  label: 'participant',
  description: 'Companies with a role in the operation, in the order in which they are displayed.',
  table: 'issuances.participants',
  parent: ofOperation,
  key: ['name'],
  replaces: true,
  ordered: true,
  fields: [
    required('name', label, 'Unique within the operation.', 'Vigília DTVM Ltda.'),
    optional('logoUrl', url, 'URL of the logo.', null),
    optional('functions', texts, 'Roles of the company.', ['Agente fiduciário', 'Custodiante'], { fallback: '{}' }),
  ],
});
