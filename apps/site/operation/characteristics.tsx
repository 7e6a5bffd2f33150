import { Fragment } from 'react';
import { formatDocument } from '../../../shared/kernel/tax-id.js';
import { Facts, Section, TableSection, TablePart } from '../../design/basics.js';
import { IssuerText } from '../issuer-text.js';
import { pathIn } from '../layout.js';
import { remunerationOf, remunerationsOf } from '../page.js';
import { priceDecimals } from '../price-chart.js';
import { State } from '../tones.js';
import type { PartProps } from './types.js';

export function Characteristics({ operation, locale }: PartProps) {
  const { operation: text, table } = locale.text;
  const { purpose } = operation;
  const written = (value: string | null | undefined) => value && <IssuerText locale={locale}>{value}</IssuerText>;
  return (
    <Section id="facts" title={text.facts} opens={locale.text.price.show}>
      {purpose === null ? null : <p className="lead">{written(purpose.description)}</p>}
      <Facts
        items={[
          [table.ticker, <code key="ticker">{operation.ticker}</code>],
          [table.type, operation.typeLabel],
          [text.number, written(operation.emissionNumber)],
          [table.issue, locale.date(operation.emissionDate)],
          [table.volume, locale.money(operation.volume)],
          [table.remuneration, remunerationsOf(locale, operation.series)],
          [text.issuer, operation.issuer],
          [text.cnpj, operation.issuerCnpj === null ? null : formatDocument(operation.issuerCnpj)],
          [text.trustee, operation.trustee],
          [text.coordinator, operation.leadCoordinator],
          [text.bookkeeper, operation.bookkeeper],
          [text.auditor, operation.auditor],
          [text.backing, written(operation.backingAsset)],
          [table.rating, operation.rating],
          [text.segment, written(purpose?.segment)],
          [text.proceeds, written(purpose?.useOfProceeds)],
          [text.offering, written(purpose?.offering)],
        ]}
      />
      <Security operation={operation} locale={locale} />
    </Section>
  );
}

function Security({ operation, locale }: PartProps) {
  const { operation: text, table } = locale.text;
  const written = (value: string) => value && <IssuerText locale={locale}>{value}</IssuerText>;
  return (
    <div className="columns">
      <TablePart
        title={text.guarantees}
        rows={operation.guarantees}
        empty={text.noGuarantees}
        columns={[
          {
            label: table.kind,
            kind: 'wide',
            cell: ({ type, description }) => (
              <>
                {written(type)}
                {description === '' ? null : <>. {written(description)}</>}
              </>
            ),
          },
          { label: table.status, cell: ({ status }) => written(status) },
        ]}
      />
      <TablePart
        title={text.participants}
        rows={operation.participants}
        empty={text.noParticipants}
        columns={[
          { label: table.name, kind: 'wide', cell: ({ name }) => name },
          {
            label: table.functions,
            cell: ({ functions }) =>
              functions.length === 0
                ? undefined
                : functions.map((one, at) => (
                    <Fragment key={one}>
                      {at === 0 ? '' : ', '}
                      {written(one)}
                    </Fragment>
                  )),
          },
        ]}
      />
    </div>
  );
}

export function SeriesTable({ operation, locale }: PartProps) {
  const { operation: text, table } = locale.text;
  return (
    <TableSection
      id="series"
      title={text.series}
      rows={operation.series}
      keyOf={({ ticker }) => ticker}
      empty={text.noSeries}
      columns={[
        {
          label: table.ticker,
          kind: 'nowrap',
          cell: ({ ticker }) => <a href={pathIn(locale, `/series/${ticker}`)}>{ticker}</a>,
        },
        { label: table.riskClass, cell: ({ riskClassLabel }) => riskClassLabel },
        { label: table.remuneration, kind: 'nowrap', cell: (series) => remunerationOf(locale, series) },
        { label: table.maturity, kind: 'nowrap', cell: ({ maturityDate }) => locale.date(maturityDate) },
        { label: table.volume, kind: 'number', cell: ({ issuedTotal }) => locale.money(issuedTotal) },
        {
          label: table.unitPrice,
          kind: 'number',
          cell: ({ currentUnitPrice }) => locale.decimal(currentUnitPrice?.value ?? null, priceDecimals),
        },
        {
          label: table.date,
          kind: 'nowrap',
          cell: ({ currentUnitPrice }) => locale.date(currentUnitPrice?.date ?? null),
        },
        { label: table.status, cell: State },
      ]}
    />
  );
}

export function Onchain({ operation, locale }: PartProps) {
  const { operation: text, table, tranche } = locale.text;
  return (
    <TableSection
      id="onchain"
      title={text.onchain}
      opens={locale.text.price.show}
      rows={operation.onchainContracts}
      empty={text.noOnchain}
      columns={[
        { label: table.network, cell: ({ network }) => network },
        {
          label: table.contract,
          cell: ({ address, explorerUrl }) =>
            explorerUrl === null ? (
              <code>{address}</code>
            ) : (
              <a href={explorerUrl} rel="noopener noreferrer">
                <code>{address}</code>
              </a>
            ),
        },
        { label: tranche.standard, kind: 'nowrap', cell: ({ standard }) => standard },
        { label: tranche.symbol, cell: ({ symbol }) => symbol },
        { label: table.series, cell: ({ seriesTicker }) => seriesTicker },
        { label: table.quantity, kind: 'number', cell: ({ tokenQuantity }) => locale.decimal(tokenQuantity) },
        { label: tranche.supply, kind: 'number', cell: ({ totalSupply }) => locale.decimal(totalSupply) },
        { label: tranche.deployed, kind: 'nowrap', cell: ({ deployedAt }) => locale.date(deployedAt) },
      ]}
    />
  );
}
