// Runs before anything is painted, so that a page that is to be dark never shows white first, and whoever hears it hears its language.
import { wantedLanguage } from '../texts/language'
import { applyTheme, savedTheme } from './theme'

applyTheme(savedTheme())
document.documentElement.lang = wantedLanguage()
