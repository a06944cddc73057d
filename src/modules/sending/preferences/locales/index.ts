// Every language that recipients are addressed in, by its code.
import { bg } from './bg'
import { cs } from './cs'
import { cy } from './cy'
import { de } from './de'
import { en, type Locale } from './en'
import { es } from './es'
import { fr } from './fr'
import { hi } from './hi'
import { it } from './it'
import { ja } from './ja'
import { nl } from './nl'
import { pl } from './pl'
import { pt } from './pt'
import { sv } from './sv'
import { zhCN } from './zh-CN'
import { zhHK } from './zh-HK'
import { zhTW } from './zh-TW'

export type { Locale }

export const locales: Readonly<Record<string, Locale>> = {
  en,
  nl,
  fr,
  hi,
  de,
  pt,
  bg,
  cs,
  pl,
  es,
  it,
  'zh-TW': zhTW,
  'zh-HK': zhHK,
  'zh-CN': zhCN,
  ja,
  sv,
  cy,
}

export const fallback: Locale = en
