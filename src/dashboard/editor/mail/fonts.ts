// The fonts that email clients have, each with what stands in for it.

const stacks = {
  sans: "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif",
  arial: 'Arial,Helvetica,sans-serif',
  verdana: 'Verdana,Geneva,sans-serif',
  tahoma: 'Tahoma,Verdana,Segoe,sans-serif',
  trebuchet: "'Trebuchet MS',Tahoma,Arial,sans-serif",
  serif: "Georgia,'Times New Roman',Times,serif",
  times: "'Times New Roman',Times,serif",
  courier: "'Courier New',Courier,monospace",
}

export type MailFont = keyof typeof stacks

export const mailFonts = Object.keys(stacks) as MailFont[]

export function readFont(value: unknown): MailFont | undefined {
  return mailFonts.find(each => each === value)
}

export const fontStack = (font: MailFont): string => stacks[font]
