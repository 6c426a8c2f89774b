import { ChevronsUpDown } from 'lucide-react';
import {
  Button as AriaButton,
  FieldError,
  Label,
  Select as AriaSelect,
  SelectValue,
  Text,
} from 'react-aria-components';
import './form.css';
import { Options, type SelectProps } from './options.tsx';
import { FloatingPopover } from '../overlays/floating-popover.tsx';

/** Selects one of a few options. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, options, value, onChange, help, error, isDisabled } = props;
  return (
    <AriaSelect
      className="field"
      value={value}
      onChange={(key) => onChange(key as Value)}
      isDisabled={isDisabled ?? false}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
    >
      <Label>{label}</Label>
      <AriaButton className="select-button">
        <SelectValue />
        <ChevronsUpDown size={14} aria-hidden />
      </AriaButton>
      {help && !error && (
        <Text slot="description" className="field-help">
          {help}
        </Text>
      )}
      <FieldError className="field-error">{error}</FieldError>
      <FloatingPopover>
        <Options options={options} />
      </FloatingPopover>
    </AriaSelect>
  );
}
