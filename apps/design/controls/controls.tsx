import { createContext, useContext, useId, useState, type HTMLInputAutoCompleteAttribute, type ReactNode } from 'react';
import {
  Button as AriaButton,
  CheckboxButton,
  CheckboxField,
  CheckboxGroup,
  Dialog as AriaDialog,
  FieldError,
  Heading,
  Input,
  Label,
  Modal,
  ModalOverlay,
  Text,
  TextArea,
  TextField,
  type PressEvent,
} from 'react-aria-components';
import { noted } from '../basics.js';

export interface ButtonProps {
  readonly children: ReactNode;
  /** Main acts are filled, others plain; acts that cannot be undone are red. */
  readonly kind?: 'main' | 'plain' | 'danger' | undefined;
  readonly type?: 'button' | 'submit';
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean | undefined;
  /** Accessible name, if the text is not specific enough: `Revoke Production`. */
  readonly label?: string | undefined;
  readonly expands?: boolean;
  readonly autoFocus?: boolean;
  readonly onPress?: (event: PressEvent) => void;
}

/** A button. While it is busy it cannot be pressed again, and keeps the focus. */
export function Button(props: ButtonProps) {
  const {
    children,
    kind = 'plain',
    type = 'button',
    isBusy = false,
    isDisabled = false,
    label,
    expands,
    onPress,
    ...rest
  } = props;
  return (
    <AriaButton
      className={isBusy ? `button ${kind} busy` : `button ${kind}`}
      type={type}
      {...(isBusy ? { 'aria-disabled': true } : {})}
      {...(onPress === undefined || isBusy ? {} : { onPress })}
      isDisabled={isDisabled}
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(expands === undefined ? {} : { 'aria-expanded': expands })}
      {...rest}
    >
      {children}
    </AriaButton>
  );
}

export interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Whether only its buttons close it: it shows something that cannot be shown again. */
  readonly isFirm?: boolean;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

export function Dialog({ title, isOpen, onClose, isFirm = false, isWide = false, children }: DialogProps) {
  return (
    <ModalOverlay
      className="overlay"
      isOpen={isOpen}
      isDismissable={false}
      isKeyboardDismissDisabled={isFirm}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Modal className={isWide ? 'modal broad' : 'modal'}>
        <AriaDialog className="dialog" role="dialog">
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

interface FieldProps {
  /** Name of the value in the mutation, by which the server names it in errors. */
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
}

export const FormErrors = createContext<{
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** Messages that are in English, whatever the language of the page is. */
  readonly english: ReadonlySet<string>;
}>({ errors: {}, english: new Set() });

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
  readonly validate?: (value: string) => string | undefined;
  readonly autoFocus?: boolean;
  readonly rows?: number;
}

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

export interface Option<Value extends string = string> {
  readonly value: Value;
  readonly text: string;
}

/** Options in display order, or the text of each value. */
export type Options<Value extends string> = readonly Option<Value>[] | Readonly<Record<Value, string>>;

function optionsIn(options: Options<string>): readonly Option[] {
  const isList = (given: Options<string>): given is readonly Option[] => Array.isArray(given);
  return isList(options) ? options : Object.entries(options).map(([value, text]) => ({ value, text }));
}

/** Returns the value of an option; undefined for a text that is none of them. */
export function valueIn<Value extends string>(
  texts: Readonly<Record<Value, string>>,
  text: unknown,
): Value | undefined {
  const isValue = (one: unknown): one is Value => typeof one === 'string' && Object.hasOwn(texts, one);
  return isValue(text) ? text : undefined;
}

/** One of a few values. It is the browser's own list, which works with every keyboard and on every phone. */
export function SelectInput<Value extends string>(
  props: FieldProps & {
    readonly options: Options<Value>;
    /** The first option where it is left to the browser. */
    readonly value?: NoInfer<Value> | '';
    readonly defaultValue?: string;
  } & (
      | { readonly all?: undefined; readonly onChange?: (value: NoInfer<Value>) => void }
      /** The text of the empty value, where none has to be chosen. */
      | { readonly all: string; readonly onChange?: (value: NoInfer<Value> | '') => void }
    ),
) {
  const { name, label, hint, options, all, value, defaultValue, onChange } = props;
  const offered = optionsIn(options);
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
        // The browser has no values but the values of the options.
        onChange={(event) => onChange?.(event.currentTarget.value as Value)}
      >
        {all === undefined ? null : <option value="">{all}</option>}
        {offered.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
        {defaultValue && offered.every((option) => option.value !== defaultValue) ? (
          <option>{defaultValue}</option>
        ) : null}
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

export function Segments<Value extends string>(props: {
  readonly name: string;
  readonly label: string;
  readonly value: Value;
  readonly options: Options<Value>;
  readonly onChange: (value: Value) => void;
}) {
  const { name, label, value, options, onChange } = props;
  return (
    <div className="segments" role="radiogroup" aria-label={label}>
      {optionsIn(options).map((option) => (
        <label key={option.value} data-value={option.value}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value as Value)}
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
  /** The heading that it stands under with others, which are chosen together by a button. */
  readonly group?: string;
}

/** Any of several values: a form has each of those that are chosen under the name. */
export function Checks(
  props: FieldProps & {
    readonly options: readonly CheckOption[];
    readonly defaultValue: readonly string[];
    /** The error where none is chosen; none has to be where it is absent. */
    readonly required?: string;
    /** Returns the label of the button that selects a group, such as `All of Trading`. */
    readonly allOf?: (group: string) => string;
  },
) {
  const { name, label, hint, options, defaultValue, required, allOf } = props;
  const [chosen, setChosen] = useState([...defaultValue]);
  const groups = [...new Set(options.map(({ group }) => group))].map((group) => ({
    group,
    own: options.filter((option) => option.group === group),
  }));
  const chooseAll = (own: readonly CheckOption[]) => {
    setChosen([...new Set([...chosen, ...own.map(({ value }) => value)])]);
  };
  return (
    <CheckboxGroup
      className="field"
      name={name}
      value={chosen}
      onChange={setChosen}
      validate={(values) => (values.length === 0 ? required : undefined)}
    >
      <Label>{label}</Label>
      {hint === undefined ? null : <Text slot="description">{hint}</Text>}
      {groups.map(({ group, own }) => (
        <div key={group ?? ''} className="checks">
          {group === undefined || allOf === undefined ? null : (
            <div className="row">
              <Button onPress={() => chooseAll(own)}>{allOf(group)}</Button>
            </div>
          )}
          {own.map((option) => (
            <Check key={option.value} value={option.value}>
              <span>{noted(option.text, option.hint)}</span>
            </Check>
          ))}
        </div>
      ))}
      <FieldError>{({ validationErrors }) => <ErrorTexts texts={validationErrors} />}</FieldError>
    </CheckboxGroup>
  );
}

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
