import type { ReactNode } from 'react';
import { Badge, Links, TableSection } from '../../design/basics.js';
import { tableLinks } from '../files/table-file.js';
import { Shown } from '../list-body.js';
import { IssuerText } from '../issuer-text.js';
import type { Locale } from '../page.js';
import { State } from '../tones.js';
import type { PartProps } from './types.js';

/** A link to a file of the issuer; only the text where there is no address on the web. */
function FileLink({ url, children }: { readonly url: string | null; readonly children: ReactNode }) {
  return url !== null && /^https?:\/\//.test(url) ? (
    <a href={url} rel="noopener noreferrer">
      {children}
    </a>
  ) : (
    children
  );
}

function written(locale: Locale, value: string | null) {
  return value === null || value === '' ? null : <IssuerText locale={locale}>{value}</IssuerText>;
}

export function Documents({ operation, locale }: PartProps) {
  const { operation: text, table } = locale.text;
  return (
    <TableSection
      id="documents"
      title={text.documents}
      opens={locale.text.price.show}
      rows={operation.documents.nodes}
      empty={text.noDocuments}
      columns={[
        {
          label: table.document,
          kind: 'wide',
          cell: ({ name, url }) => <FileLink url={url}>{written(locale, name) ?? text.untitled}</FileLink>,
        },
        { label: table.kind, cell: ({ type }) => written(locale, type) },
        { label: table.reference, kind: 'nowrap', cell: ({ referenceDate }) => locale.date(referenceDate) },
        { label: table.published, kind: 'nowrap', cell: ({ createdAt }) => locale.date(createdAt) },
      ]}
    >
      <Shown locale={locale} of={operation.documents} />
    </TableSection>
  );
}

export function Assemblies({ operation, locale }: PartProps) {
  const { operation: text, table } = locale.text;
  return (
    <TableSection
      id="assemblies"
      title={text.assemblies}
      opens={locale.text.price.show}
      rows={operation.assemblies.nodes}
      empty={text.noAssemblies}
      columns={[
        { label: table.date, kind: 'nowrap', cell: ({ date }) => locale.date(date) },
        { label: table.kind, kind: 'nowrap', cell: ({ type }) => written(locale, type) },
        {
          label: table.title,
          kind: 'wide',
          cell: ({ title, url }) => <FileLink url={url}>{written(locale, title)}</FileLink>,
        },
        { label: table.agenda, kind: 'wide', cell: ({ agenda }) => written(locale, agenda) },
        { label: table.resolution, kind: 'wide', cell: ({ resolution }) => written(locale, resolution) },
        { label: table.quorum, kind: 'number', cell: ({ quorumPercent }) => locale.percent(quorumPercent) },
        { label: table.status, cell: ({ status }) => <Badge>{written(locale, status)}</Badge> },
      ]}
    >
      <Shown locale={locale} of={operation.assemblies} />
    </TableSection>
  );
}

export function Communications({ operation, locale, files }: PartProps & { readonly files: string }) {
  const { operation: text, table, exports } = locale.text;
  return (
    <TableSection
      id="communications"
      title={text.communications}
      opens={locale.text.price.show}
      links={<Links label={exports.label} items={[{ text: exports.feed, href: `${files}/comunicacoes.atom` }]} />}
      rows={operation.communications.nodes}
      empty={text.noCommunications}
      columns={[
        { label: table.date, kind: 'nowrap', cell: ({ date }) => locale.date(date) },
        { label: table.kind, kind: 'nowrap', cell: ({ kindLabel }) => kindLabel },
        {
          label: table.title,
          kind: 'wide',
          cell: ({ id, title }) => <span id={`c-${id}`}>{written(locale, title)}</span>,
        },
        { label: table.description, kind: 'wide', cell: ({ description }) => written(locale, description) },
      ]}
    >
      <Shown locale={locale} of={operation.communications} />
    </TableSection>
  );
}

export function Obligations({ operation, locale, files }: PartProps & { readonly files: string }) {
  const { operation: text, table, exports } = locale.text;
  return (
    <TableSection
      id="obligations"
      title={text.obligations}
      opens={locale.text.price.show}
      links={<Links label={exports.label} items={tableLinks(`${files}/obrigacoes`)} />}
      rows={operation.obligations.nodes}
      empty={text.noObligations}
      columns={[
        { label: table.title, kind: 'wide', cell: ({ title }) => written(locale, title) },
        { label: table.responsible, cell: ({ responsible }) => written(locale, responsible) },
        { label: table.periodicity, cell: ({ periodicityLabel }) => periodicityLabel },
        { label: table.due, kind: 'nowrap', cell: ({ dueDate }) => locale.date(dueDate) },
        { label: table.delivered, kind: 'nowrap', cell: ({ deliveredDate }) => locale.date(deliveredDate) },
        { label: table.status, cell: State },
      ]}
    >
      <Shown locale={locale} of={operation.obligations} />
    </TableSection>
  );
}
