import { Badge, Links, Section } from '../../design/basics.js';
import { Table } from '../../design/table.js';
import { tableLinks } from '../files/table-file.js';
import { IssuerText } from '../issuer-text.js';
import type { ReportProps } from './report.js';

/** The covenants, tested on the position of the report. */
export function Covenants({ operation, locale, action, month }: ReportProps) {
  const { operation: text, table, exports } = locale.text;
  return (
    <Section
      id="covenants"
      title={text.covenants}
      links={<Links label={exports.label} items={tableLinks(`${action}/covenants`, { month })} />}
    >
      <Table
        caption={text.covenants}
        rows={operation.report?.covenants ?? []}
        keyOf={({ name }) => name}
        empty={text.noCovenants}
        columns={[
          { label: table.name, kind: 'wide', cell: ({ name }) => <IssuerText locale={locale}>{name}</IssuerText> },
          {
            label: table.threshold,
            cell: ({ comparisonLabel, threshold }) => `${comparisonLabel} ${locale.percent(threshold)}`,
          },
          { label: table.value, kind: 'number', cell: ({ value }) => locale.percent(value) },
          {
            label: table.status,
            cell: ({ fulfilled, caveatLabel }) => (
              <>
                <Badge tone={fulfilled === null ? 'plain' : fulfilled ? 'good' : 'bad'}>
                  {fulfilled === null ? text.notTested : fulfilled ? text.fulfilled : text.breached}
                </Badge>{' '}
                {caveatLabel}
              </>
            ),
          },
        ]}
      />
    </Section>
  );
}
