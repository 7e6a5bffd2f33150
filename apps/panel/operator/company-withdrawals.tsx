import { useState } from 'react';
import { Facts, Section, Table } from '../../design/basics.js';
import { TextInput } from '../../design/controls/controls.js';
import { ActButton } from '../frame/ask.js';
import { exact } from '../trading/price.js';
import { NumberInput, numberOf } from '../frame/number-input.js';
import { textOf } from '../frame/parts.js';
import type { CompanyPart } from './company-fields.js';
import { graph } from './graph.js';
import { operatorTexts } from '../texts.js';

/** What limits the withdrawals of a company: amounts in 24 hours, and a list of addresses. */
export function CompanyWithdrawals({ company, mayAct, onDone }: CompanyPart) {
  const { companies: text, words } = operatorTexts.get();
  const { id, requiresWithdrawalList: isRequired, withdrawalLimits } = company;
  const onLimitSet = () => {
    onDone(text.limitSet);
  };
  return (
    <Section id="withdrawals" title={text.limits}>
      <Facts items={[[text.addresses, isRequired ? text.onlyListed : text.anyAddresses]]} />
      {mayAct ? (
        <div className="row">
          <ListRule company={company} onDone={onDone} />
          <SetLimit companyId={id} opens={text.setLimit} currency="" daily="" onDone={onLimitSet} />
        </div>
      ) : null}
      <Table
        caption={text.limits}
        rows={withdrawalLimits}
        keyOf={({ currency }) => currency}
        empty={text.noLimits}
        columns={[
          { label: words.currency, kind: 'nowrap', cell: ({ currency }) => currency },
          { label: text.daily, kind: 'number', cell: ({ daily }) => exact(daily) },
          {
            label: words.acts,
            cell: ({ currency, daily }) =>
              mayAct ? (
                <SetLimit companyId={id} opens={words.change} {...{ currency, daily }} onDone={onLimitSet} />
              ) : null,
          },
        ]}
      />
    </Section>
  );
}

function ListRule({ company, onDone }: Pick<CompanyPart, 'company' | 'onDone'>) {
  const { companies: text } = operatorTexts.get();
  const { id, requiresWithdrawalList: isRequired } = company;
  const act = isRequired ? text.anyAddress : text.onlyList;
  return (
    <ActButton
      act={act}
      text={isRequired ? text.anyAddressText : text.onlyListText}
      run={() => graph.mutate('requireWithdrawalList', { companyId: id, required: !isRequired })}
      onDone={() => onDone(isRequired ? text.anyAddresses : text.onlyListed)}
    />
  );
}

interface LimitProps {
  /** Empty where it is to be chosen. */
  readonly currency: string;
  readonly daily: string;
}

function SetLimit(
  props: LimitProps & { readonly companyId: string; readonly opens: string; readonly onDone: () => void },
) {
  const { companyId, opens, onDone, ...limit } = props;
  const { companies: text, words } = operatorTexts.get();
  return (
    <ActButton
      label={`${opens} ${limit.currency}`.trim()}
      opens={opens}
      title={text.setLimit}
      act={words.save}
      fields={['currency', 'daily']}
      run={(values) => {
        const currency = textOf(values, 'currency').trim().toUpperCase();
        return graph.mutate('setWithdrawalLimit', { companyId, currency, daily: numberOf(values, 'daily', currency) });
      }}
      onDone={onDone}
    >
      <LimitFields {...limit} />
    </ActButton>
  );
}

function LimitFields({ currency: known, daily }: LimitProps) {
  const { companies: text, words } = operatorTexts.get();
  const [currency, setCurrency] = useState(known);
  return (
    <>
      <TextInput
        name="currency"
        label={words.currency}
        hint={text.currencyHint}
        value={currency}
        onChange={setCurrency}
        isReadOnly={known !== ''}
        maxLength={12}
        autoComplete="off"
        isRequired
      />
      <NumberInput
        name="daily"
        label={text.daily}
        hint={text.dailyHint}
        unit={currency.trim().toUpperCase()}
        defaultValue={daily}
      />
    </>
  );
}
