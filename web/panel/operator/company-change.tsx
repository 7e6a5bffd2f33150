import { TextInput } from '../../design/controls/fields.js';
import { NumberInput } from '../frame/number-input.js';
import { ActDialog } from './act-dialog.js';
import {
  changeOf,
  isCount,
  termFields,
  tiersOf,
  tiersText,
  unitOf,
  withFieldsOfTerms,
  type Company,
} from './company-fields.js';
import { graph } from './graph.js';
import { operatorTexts } from './texts.js';

const withoutHint = new Set<string>(['makerFee', 'takerFee', 'maxQuotedValue']);

/** Changes the name, the limits and the fees of a company. */
export function ChangeCompany(props: {
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
