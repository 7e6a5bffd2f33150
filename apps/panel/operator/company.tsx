import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Empty, Facts, Section } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { usePathPart } from '../frame/address.js';
import { date, decimal, money } from '../frame/language.js';
import { Loaded, PageHead } from '../frame/parts.js';
import { useSession } from '../frame/session.js';
import { frameTexts } from '../frame/texts.js';
import { useQuery } from '../frame/use-graph.js';
import { ActDialog, useDialog } from './act-dialog.js';
import { CompanyStatus } from './companies.js';
import { CompanyCredentials } from './company-credentials.js';
import {
  type Company,
  changeOf,
  isCount,
  termFields,
  tiersOf,
  tiersText,
  unitOf,
  withFieldsOfTerms,
} from './company-fields.js';
import type { CompanyPart } from './company-part.js';
import { CompanyProfiles } from './company-profiles.js';
import { CompanyWithdrawals } from './company-withdrawals.js';
import { graph } from './graph.js';
import { operatorTexts } from './texts.js';
import { TextInput } from '../../design/controls/fields.js';
import { NumberInput } from '../frame/number-input.js';

/** A company that trades: its terms, credentials, withdrawals and profiles. */
export function CompanyPage() {
  const { companies: text } = operatorTexts.get();
  const id = usePathPart('id');
  const query = useQuery(graph, 'tradingCompany', { id });
  const mayAct = useSession()?.scopes.includes('trade') === true;
  const { dialog, open } = useDialog();
  const [note, setNote] = useState('');
  const onDone = (said: string) => {
    setNote(said);
    query.reload();
  };
  const company = query.data?.tradingCompany ?? undefined;
  const parts = company === undefined ? undefined : { company, mayAct, open, onDone };
  return (
    <>
      <PageHead
        title={company?.name ?? text.one}
        lead={<Link to="/operacao/empresas">{text.back}</Link>}
        acts={parts !== undefined && mayAct ? <Acts {...parts} /> : undefined}
      />
      <p role="status" className="note">
        {note}
      </p>
      <Loaded query={query}>
        {() =>
          parts === undefined ? (
            <Empty>{frameTexts.get().notFound}</Empty>
          ) : (
            <>
              <Summary company={parts.company} />
              <CompanyCredentials {...parts} />
              <CompanyWithdrawals {...parts} />
              <CompanyProfiles key={id} {...parts} />
            </>
          )
        }
      </Loaded>
      {dialog}
    </>
  );
}

function Acts({ company, open, onDone }: CompanyPart) {
  const { companies: text } = operatorTexts.get();
  const isActive = company.status === 'ACTIVE';
  const act = isActive ? text.suspend : text.activate;
  return (
    <>
      <Button
        onPress={() => {
          open((close) => (
            <ChangeCompany
              company={company}
              onClose={close}
              onDone={() => {
                close();
                onDone(text.changed);
              }}
            />
          ));
        }}
      >
        {text.change}
      </Button>
      <Button
        onPress={() => {
          open((close) => (
            <ActDialog
              title={`${act}: ${company.name}`}
              act={act}
              kind={isActive ? 'danger' : 'main'}
              onClose={close}
              run={() =>
                graph.mutate('changeTradingCompany', { id: company.id, status: isActive ? 'SUSPENDED' : 'ACTIVE' })
              }
              onDone={() => {
                close();
                onDone(isActive ? text.suspended : text.activated);
              }}
            >
              <p>{isActive ? text.suspendText : text.activateText}</p>
            </ActDialog>
          ));
        }}
      >
        {act}
      </Button>
    </>
  );
}

function Summary({ company }: { readonly company: Company }) {
  const { companies: text } = operatorTexts.get();
  const { id, accountId, rateLimit, status, createdAt, terms } = company;
  const limit = (value: string | null) => (value === null ? text.noLimit : money(value));
  const count = (value: number | null) => (value === null ? text.noLimit : decimal(value));
  // As it was agreed: percentages have up to six decimals.
  const rate = (value: string) => `${decimal(value)}%`;
  const { spreadTiers } = terms;
  return (
    <Section id="terms" title={text.terms}>
      <Facts
        items={[
          [text.id, <code key="id">{id}</code>],
          [text.status, <CompanyStatus key="status" status={status} />],
          [text.since, date(createdAt)],
          [text.account, accountId === null ? text.none : <code key="account">{accountId}</code>],
          [text.rateLimit, rateLimit === null ? text.defaultLimit : decimal(rateLimit)],
          [text.makerFee, rate(terms.makerFee)],
          [text.takerFee, rate(terms.takerFee)],
          [text.maxOrderValue, limit(terms.maxOrderValue)],
          [text.maxOpenOrders, count(terms.maxOpenOrders)],
          [text.maxDailyVolume, limit(terms.maxDailyVolume)],
          [text.profileMaxOpenOrders, count(terms.profileMaxOpenOrders)],
          [text.profileMaxDailyVolume, limit(terms.profileMaxDailyVolume)],
          [text.maxQuotedValue, money(terms.maxQuotedValue)],
          [
            text.spreadTiers,
            spreadTiers === null
              ? text.defaultTiers
              : spreadTiers.map(({ aboveBrl, percent }) => text.tier(money(aboveBrl), rate(percent))).join('; '),
          ],
        ]}
      />
    </Section>
  );
}

const withoutHint = new Set<string>(['makerFee', 'takerFee', 'maxQuotedValue']);

/** Changes the name, the limits and the fees of a company. */
function ChangeCompany(props: {
  readonly company: Company;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { company, onClose, onDone } = props;
  const { companies: text } = operatorTexts.get();
  return (
    <ActDialog
      title={`${text.change}: ${company.name}`}
      act={text.save}
      fields={['name', 'accountId', 'rateLimit', ...termFields, 'spreadTiers']}
      onClose={onClose}
      run={(values) => withFieldsOfTerms(() => graph.mutate('changeTradingCompany', changeOf(company, values)))}
      onDone={onDone}
    >
      <TextInput
        name="name"
        label={text.name}
        defaultValue={company.name}
        maxLength={200}
        autoComplete="off"
        isRequired
      />
      <NumberInput
        name="rateLimit"
        label={text.rateLimit}
        hint={text.rateLimitHint}
        defaultValue={company.rateLimit}
        isWhole
      />
      <TextInput
        name="accountId"
        label={text.account}
        hint={text.accountHint}
        defaultValue={company.accountId ?? ''}
        autoComplete="off"
        maxLength={100}
      />
      {termFields.map((name) => (
        <NumberInput
          key={name}
          name={name}
          label={text[name]}
          {...(withoutHint.has(name) ? { isRequired: true } : { hint: text.emptyForNone })}
          defaultValue={company.terms[name]}
          unit={unitOf(name)}
          isWhole={isCount(name)}
        />
      ))}
      <TextInput
        name="spreadTiers"
        label={text.spreadTiers}
        hint={text.spreadTiersHint}
        defaultValue={tiersText(company.terms.spreadTiers)}
        validate={(typed) => (tiersOf(typed) === undefined ? text.spreadTiersHint : undefined)}
        rows={3}
      />
    </ActDialog>
  );
}
