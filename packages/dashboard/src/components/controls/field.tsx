import { Eye, EyeOff } from 'lucide-react';
import { useState, type InputHTMLAttributes } from 'react';
import {
  Button as AriaButton,
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
  TextField,
  type TextFieldProps,
} from 'react-aria-components';
import './form.css';

export interface FieldProps extends Omit<TextFieldProps, 'className' | 'children'> {
  label: string;
  help?: string;
  /** The error message. Marks the field as invalid. */
  error?: string | null | undefined;
  placeholder?: string;
  lines?: boolean;
  autoCapitalize?: InputHTMLAttributes<HTMLInputElement>['autoCapitalize'];
}

export function Field({ label, help, error, placeholder, lines, autoCapitalize, ...rest }: FieldProps) {
  const [visible, setVisible] = useState(false);
  const isPassword = rest.type === 'password';
  return (
    <TextField
      {...rest}
      {...(isPassword && visible && { type: 'text' })}
      {...(error && { isInvalid: true })}
      className="field"
      validationBehavior="aria"
    >
      <Label>{label}</Label>
      {lines ? (
        <TextArea className="input" placeholder={placeholder ?? ''} />
      ) : (
        <span className={isPassword ? 'input-row' : undefined}>
          <Input
            className="input"
            placeholder={placeholder ?? ''}
            {...(autoCapitalize && { autoCapitalize })}
          />
          {isPassword && (
            <AriaButton
              className="icon-button"
              aria-label={visible ? 'Hide password' : 'Show password'}
              onPress={() => setVisible(!visible)}
            >
              {visible ? <EyeOff size={16} /> : <Eye size={16} />}
            </AriaButton>
          )}
        </span>
      )}
      {help && !error && (
        <Text slot="description" className="field-help">
          {help}
        </Text>
      )}
      <FieldError className="field-error">{error}</FieldError>
    </TextField>
  );
}
