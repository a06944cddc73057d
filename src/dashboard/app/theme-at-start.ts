// Runs before anything is painted, so that a dark page never shows white first, and screen readers know its language.
import { wantedLanguage } from '../texts/language'
import { applyTheme, savedTheme } from './theme'

applyTheme(savedTheme())
document.documentElement.lang = wantedLanguage()
