import { createContext, useContext, useId, type HTMLInputAutoCompleteAttribute, type ReactNode } from 'react';
import {
  CheckboxButton,
  CheckboxField,
  CheckboxGroup,
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
  TextField,
} from 'react-aria-components';

interface FieldProps {
  /** Name of the value in the mutation, by which the server names it in errors. */
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
}

/** What the server says of the fields of a form. */
export const FormErrors = createContext<{
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** Those that are in English, whatever the language of the page is. */
  readonly english: ReadonlySet<string>;
}>({ errors: {}, english: new Set() });

/** The errors of a field, all of them. */
function ErrorTexts({ texts }: { readonly texts: readonly string[] }) {
  const { english } = useContext(FormErrors);
  return texts.map((text, at) => (
    <span key={text} {...(english.has(text) ? { lang: 'en' } : {})}>
      {at === 0 ? '' : ' '}
      {text}
    </span>
  ));
}

export interface TextInputProps extends FieldProps {
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'url' | 'date' | 'datetime-local';
  readonly value?: string;
  readonly defaultValue?: string;
  readonly onChange?: (value: string) => void;
  readonly isRequired?: boolean;
  readonly isReadOnly?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly autoComplete?: HTMLInputAutoCompleteAttribute;
  readonly inputMode?: 'numeric' | 'decimal' | 'text' | 'email' | 'url';
  readonly onBlur?: () => void;
  /** Returns what is wrong with a value. */
  readonly validate?: (value: string) => string | undefined;
  readonly autoFocus?: boolean;
  readonly rows?: number;
}

/** A line of text, or several, with its label, a hint, and the error of its value. */
export function TextInput({ label, hint, rows, autoFocus, ...field }: TextInputProps) {
  return (
    <TextField className="field" {...field} {...(autoFocus === true ? { autoFocus: true } : {})}>
      <Label>{label}</Label>
      {rows === undefined ? <Input /> : <TextArea rows={rows} />}
      {hint === undefined ? null : <Text slot="description">{hint}</Text>}
      <FieldError>{({ validationErrors }) => <ErrorTexts texts={validationErrors} />}</FieldError>
    </TextField>
  );
}

export interface Option {
  readonly value: string;
  readonly text: string;
}

/** One of a few values. It is the browser's own list, which works with every keyboard and on every phone. */
export function SelectInput(
  props: FieldProps & {
    readonly options: readonly Option[];
    /** The text of the empty value, where none has to be chosen. */
    readonly all?: string;
    /** The first option where it is left to the browser. */
    readonly value?: string;
    readonly defaultValue?: string;
    readonly onChange?: (value: string) => void;
  },
) {
  const { name, label, hint, options, all, value, defaultValue, onChange } = props;
  const id = useId();
  const {
    errors: { [name]: errors = [] },
  } = useContext(FormErrors);
  const notes = [...(hint === undefined ? [] : [`${id}-hint`]), ...(errors.length === 0 ? [] : [`${id}-error`])];
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        name={name}
        value={value}
        defaultValue={defaultValue}
        aria-describedby={notes.join(' ') || undefined}
        aria-invalid={errors.length > 0 || undefined}
        onChange={(event) => onChange?.(event.currentTarget.value)}
      >
        {all === undefined ? null : <option value="">{all}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      {hint === undefined ? null : (
        <span id={`${id}-hint`} slot="description">
          {hint}
        </span>
      )}
      {errors.length === 0 ? null : (
        <span id={`${id}-error`} slot="errorMessage">
          <ErrorTexts texts={errors} />
        </span>
      )}
    </div>
  );
}

/** One of up to five values that stand beside each other. */
export function Segments<Value extends string>(props: {
  readonly name: string;
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly onChange: (value: Value) => void;
}) {
  const { name, label, value, options, onChange } = props;
  return (
    <div className="segments" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value} data-value={option.value}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.text}
        </label>
      ))}
    </div>
  );
}

export interface CheckOption {
  readonly value: string;
  readonly text: ReactNode;
  readonly hint?: ReactNode;
}

/** Any of several values. */
export function Checks(
  props: FieldProps & {
    readonly options: readonly CheckOption[];
    readonly value: readonly string[];
    readonly onChange: (value: string[]) => void;
    /** The error where none is chosen; none has to be where it is absent. */
    readonly required?: string;
  },
) {
  const { name, label, hint, options, value, onChange, required } = props;
  return (
    <CheckboxGroup
      className="field"
      name={name}
      value={[...value]}
      onChange={onChange}
      validate={(chosen) => (chosen.length === 0 ? required : undefined)}
    >
      <Label>{label}</Label>
      {hint === undefined ? null : <Text slot="description">{hint}</Text>}
      <div className="checks">
        {options.map((option) => (
          <Check key={option.value} value={option.value}>
            <span>
              {option.text}
              {option.hint === undefined ? null : <span className="sub">{option.hint}</span>}
            </span>
          </Check>
        ))}
      </div>
      <FieldError>{({ validationErrors }) => <ErrorTexts texts={validationErrors} />}</FieldError>
    </CheckboxGroup>
  );
}

/** A value that is on or off. */
export function Check(props: {
  readonly children: ReactNode;
  readonly name?: string;
  readonly value?: string;
  readonly isSelected?: boolean;
  readonly isRequired?: boolean;
  readonly onChange?: (isSelected: boolean) => void;
}) {
  const { children, ...rest } = props;
  return (
    <CheckboxField {...rest}>
      <CheckboxButton className="check">
        <svg className="tick" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M3 8.5l3 3 7-7.5" />
        </svg>
        {children}
      </CheckboxButton>
    </CheckboxField>
  );
}
