import type { RefObject } from 'react';
import { Menu as AriaMenu, MenuItem } from 'react-aria-components';
import { Kbd } from '../feedback/badge.tsx';
import { FloatingPopover } from './floating-popover.tsx';
import type { MenuProps } from './menu-props.ts';

export interface MenuLayerProps extends Required<Pick<MenuProps, 'label' | 'entries' | 'placement'>> {
  triggerRef: RefObject<HTMLButtonElement | null>;
  autoFocus: 'first' | 'last';
  onClose: () => void;
}

/** The items of an open menu. */
export function MenuLayer({ label, entries, placement, triggerRef, autoFocus, onClose }: MenuLayerProps) {
  return (
    <FloatingPopover
      isOpen
      aria-label={label}
      triggerRef={triggerRef}
      placement={placement}
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <AriaMenu className="menu" aria-label={label} autoFocus={autoFocus} onClose={onClose}>
        {entries.map(({ id, label: text, icon, shortcut, danger, reason, onAction }) => (
          <MenuItem
            key={id}
            id={id}
            textValue={text}
            isDisabled={Boolean(reason)}
            // Runs after focus returns to the button. Otherwise a dialog that opens next would return focus to a removed menu item.
            onAction={() => requestAnimationFrame(() => setTimeout(onAction))}
            className={danger ? 'menu-item danger' : 'menu-item'}
          >
            {icon}
            <span className="menu-label">
              {text}
              {reason && <small>{reason}</small>}
            </span>
            {shortcut && <Kbd>{shortcut}</Kbd>}
          </MenuItem>
        ))}
      </AriaMenu>
    </FloatingPopover>
  );
}
