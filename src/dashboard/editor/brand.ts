// The brand of the project, as editors begin with it.
import { queryOptions } from '@tanstack/react-query'
import type { Schemas } from '../api/client'
import { read } from '../api/queries'
import { pageAddress } from '../app/page-address'
import type { MailTheme } from './mail/document'

export type Brand = Schemas['Brand']

export const brandQuery = queryOptions({
  queryKey: ['brand'],
  queryFn: ({ signal }) => read('/projects/{id}/brand', { path: { id: pageAddress.projectId! } }, signal),
  staleTime: 60_000,
})

/** The colors and fonts of an email that begins. */
export function themeOf(brand: Omit<Brand, 'updatedAt'>): MailTheme {
  const { backgroundColor, paperColor, textColor, accentColor, font, headingFont } = brand
  return {
    ...{ background: backgroundColor, sheet: paperColor, ink: textColor, accent: accentColor, font },
    ...(headingFont === font ? {} : { headingFont }),
  }
}
