import { Popover, type PopoverProps } from 'react-aria-components';
import './overlay.css';

/** A popover next to the element that opened it. */
export function FloatingPopover({ children, ...rest }: Omit<PopoverProps, 'className'>) {
  return (
    <Popover {...rest} className="popover" offset={6}>
      {children}
    </Popover>
  );
}
