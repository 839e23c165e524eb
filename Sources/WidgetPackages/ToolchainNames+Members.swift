// Written by scripts/toolchain-names.py; write it anew for another version of Swift.
// swift-format-ignore-file

extension ToolchainNames {
  /// The functions, properties and cases of the same modules.
  static let members: Set<Substring> = Set(
    """
    abbreviated abbreviation abbreviationDictionary abnormalClosure above aboveLeft aboveRight
    abs absoluteString absoluteURL acceptConnectionInBackgroundAndNotify acceptInput access
    accounting accountingAlways acos acosh acquiring acquiringAndReleasing acreFeet acres
    activate activeProcessorCount actualByteCount add addAttribute addAttributes addBarrierBlock
    addCharacters addChild addDependency addEntries addExecutionBlock addImmediateTask
    addImmediateTaskUnlessCancelled addObjects addObserver addOperation addOperations addProduct
    addSuite addTask addTaskUnlessCancelled addTimeInterval addValue addedToDirectoryDate
    addedToDirectoryDateKey adding addingObjects addingPercentEncoding addingProduct
    addingReportingOverflow addingTimeInterval address addresses adjective adjustingRanges adlam
    adminApplicationDirectory adposition advanced adverb afghanistan afterDate afterOccurrences
    afterPrefix afterSuffix age aggregate ainu albania albanian algeria alignAllEdgesInward
    alignAllEdgesNearest alignAllEdgesOutward alignHeightInward alignHeightNearest
    alignHeightOutward alignMaxXInward alignMaxXNearest alignMaxXOutward alignMaxYInward
    alignMaxYNearest alignMaxYOutward alignMinXInward alignMinXNearest alignMinXOutward
    alignMinYInward alignMinYNearest alignMinYOutward alignRectFlipped alignWidthInward
    alignWidthNearest alignWidthOutward alignedDown alignedUp alignment all
    allApplicationsDirectory allBundles allCases allCredentials allDomainsMask allFrameworks
    allHTTPHeaderFields allHeaderFields allKeys allLibrariesDirectory allObjects
    allPartitionsAndEjectDisk allSatisfy allValues allocate allow allowCommentsAndWhitespace
    allowFragments allowLossy allowed allowedClasses allowedFields allowedInMemoryOnly
    allowedUnits allowsCellularAccess allowsFloats allowsJSON5 allowsKeyedCoding
    allowsNonnumericFormatting alpha2 alpha3 alphanumeric alphanumerics alternateDescription
    alternateQuotationBeginDelimiter alternateQuotationBeginDelimiterKey
    alternateQuotationEndDelimiter alternateQuotationEndDelimiterKey always alwaysMapped
    alwaysShowsDecimalSeparator amPM amSymbol americanSamoa amharic ampereHours amperes anchor
    anchored anchorsMatchLineEndings anchorsMatchLines and andorra angola anguilla antarctica
    antiguaBarbuda any anyKey anyObject apacheWestern appStoreReceiptURL
    appTransportSecurityRequiresSecureConnection append appendInterpolation appendLiteral
    appendOnly appendPathComponent appendPathExtension appending appendingFormat
    appendingPathComponent appendingPathExtension applicationDirectory applicationIsScriptable
    applicationIsScriptableKey applicationScriptsDirectory applicationSupportDirectory
    applyTransform applying applyingTransform arabic arabicNastaliq arcMinutes arcSeconds
    archiveRootObject archivedData archiver archiverDidFinish archiverWillFinish ares argc
    argentina argumentDomain arguments armenia armenian array aruba asSerialExecutor
    asTaskExecutor asUnownedSerialExecutor asUnownedTaskExecutor asap ascending ascensionIsland
    ascii asciiOnlyCharacterClasses asciiOnlyDigits asciiOnlyWhitespace asciiOnlyWordCharacters
    asciiValue asin asinh assamese assert assertIsolated assertionFailure assign
    assignCurrentContext associativeList assumeIsolated assumesTopLevelDictionary
    assumingMemoryBound assyrian astronomicalUnits async asyncAfter asyncDetached
    asyncUnlessCancelled atEnd atan atan2 atanh atomic atomicMemoryFence attachedAbove
    attachedAboveRight attachedBelow attachedBelowLeft attemptRecovery attoseconds attrib
    attribute attributeChanged attributeModificationDate attributeModificationDateKey attributed
    attributedStyle attributedSubstring attributes attributesOfFileSystem attributesOfItem
    australia austria authenticationMethod automatic autosavedInformationDirectory
    autoupdatingCurrent availableCollations availableData availableIdentifiers
    availableLocaleIdentifiers availableNumberingSystems availableStringEncodings awayFromZero
    azerbaijan azerbaijani background backgroundSessionInUseByAnotherProcess
    backgroundSessionRequiresSharedContainer backgroundSessionWasDisconnected backward backwards
    badServerResponse badURL bahamas bahrain bangla bangladesh bankers barbados barrier bars
    base base64 base64EncodedData base64EncodedString base64URLAlphabet baseAddress basePriority
    baseURL baseUnit baseUnitValue bcp47 becomeCurrent becomeDownload beforePrefix beforeSuffix
    beginEditing beginningOfSentence beginsWith belarus belarusian belgium belize below
    belowLeft belowRight benin bermuda between bhutan bidirectionalCollectionLast bigEndian
    binade binary bindMemory binding bitPattern bitWidth bitmapRepresentation bits bitwiseAnd
    bitwiseOr bitwiseXor block blockSpecial bodo bolivia bool boolValue bosniaHerzegovina
    botswana bottom bottomToTop bouvetIsland brazil britishVirginIslands broadcast brunei
    buddhist buffer bufferingNewest bufferingOldest build_Arg build_Arithmetic build_ClosedRange
    build_Comparison build_Conditional build_Conjunction build_Disjunction build_Division
    build_Equal build_ForcedUnwrap build_KeyPath build_Negation build_NilCoalesce
    build_NilLiteral build_NotEqual build_Range build_Remainder build_UnaryMinus
    build_allSatisfy build_contains build_evaluate build_filter build_flatMap build_max
    build_min build_starts build_subscript builtInPlugInsPath builtInPlugInsURL bulgaria
    bulgarian bundleIdentifier bundlePath bundleURL burkinaFaso burmese burundi bushels busy
    byComposedCharacterSequences byLines byParagraphs byte byteCount byteOffsets byteSwapped
    bytes bytesEqual cString cache cachePolicy cachedResponse cachesDirectory calendar
    calendarIdentifier callAsFunction callIsActive callSignaling callStackReturnAddresses
    callStackSymbols calorie calories cambodia cameroon canBeConverted canInflect
    canInflectPreferredLocalization canInit canada canaryIslands cancel cancelAll
    cancelAllOperations cancelAuthenticationChallenge canceling cancellationHandler cancelled
    cannotCloseFile cannotConnectToHost cannotCreateFile cannotDecodeContentData
    cannotDecodeRawData cannotFindHost cannotLoadFromNetwork cannotMoveFile cannotOpenFile
    cannotParseResponse cannotRemoveFile cannotWriteToFile canonicalCombiningClass
    canonicalIdentifier canonicalLanguageIdentifier canonicalLocaleIdentifier canonicalPath
    canonicalPathKey canonicalRequest cantonese capacity capeVerde capitalizationContext
    capitalized capitalizedLetter capitalizedLetters carats caribbeanNetherlands caseInsensitive
    caseInsensitiveCompare caseSensitive catalan category caymanIslands cbrt ceiling celsius
    centigrams centiliters centimeter centimeters centralAfricanRepublic ceutaMelilla chad
    chagosArchipelago changeCurrentDirectoryPath changesWhenCaseFolded changesWhenCaseMapped
    changesWhenLowercased changesWhenNFKCCaseFolded changesWhenTitlecased changesWhenUppercased
    character characterDirection characterIsMember characterSpecial characters charactersEqual
    charactersToBeSkipped checkCancellation checkFileSystem checkForASCII checkForNFC
    checkIsolated checkResourceIsReachable cherokee children chile chinaMainland chinese
    christmasIsland clamp clamped class classFallbacksForKeyedArchiver classForCoder
    classForKeyedArchiver classForKeyedUnarchiver classNameForClass classNamed cldr client
    clientCertificateRejected clientCertificateRequired clippertonIsland close closeCode
    closeFile closePunctuation closeReason closed cocosIslands code codeUnits coderInvalidValue
    coderReadCorrupt coderValueNotFound codingKey codingPath coefficient collation
    collationIdentifier collatorIdentifier collection collectionCount collectionFirst
    collectionIsEmpty colombia colon combine comment commentURL common commonISOCurrencyCodes
    commonPrefix comoros compactMap compactMapValues compactName comparator compare
    compareExchange complete completeFileProtection completeFileProtectionUnlessOpen
    completeFileProtectionUntilFirstUserAuthentication completePath completeUnlessOpen
    completeUntilFirstUserAuthentication completed completedUnitCount completionBlock component
    components componentsJoined componentsToDisplay compoundPredicateType concurrent
    concurrentPerform condensedAbbreviated condition conditional configuration congoBrazzaville
    congoKinshasa conjunction connectEndDate connectStartDate connectionProxyDictionary
    connectorPunctuation constant constantValue consuming container containingRegion contains
    containsValue contentAccessDate contentAccessDateKey contentModificationDate
    contentModificationDateKey contents contentsEqual contentsOfDirectory continent
    continueLoading continueWithoutCredential continuous control controlCharacters
    conversational conversationalDefaultDigits conversationalTwoDigits convert
    convertFromSnakeCase convertFromString convertToSnakeCase convertToString converted
    converter converting cookIslands cookieAcceptPolicy cookies coptic copy copyBytes copyItem
    copyMemory copying copysign coreServiceDirectory correction cos cosh costaRica coulombs
    count countLimit countOfBytesClientExpectsToReceive countOfBytesClientExpectsToSend
    countOfBytesExpectedToReceive countOfBytesExpectedToSend countOfBytesReceived
    countOfBytesSent countOfIndexes countOfRequestBodyBytesBeforeEncoding
    countOfRequestBodyBytesSent countOfRequestHeaderBytesSent
    countOfResponseBodyBytesAfterDecoding countOfResponseBodyBytesReceived
    countOfResponseHeaderBytesReceived countStyle countryCode create createDirectory createFile
    createSymbolicLink creationDate creationDateKey credentials croatia croatian cuba
    cubicCentimeters cubicDecimeters cubicFeet cubicInches cubicKilometers cubicMeters
    cubicMiles cubicMillimeters cubicYards cups curaçao currency currencyAccounting currencyCode
    currencyDecimalSeparator currencyGroupingSeparator currencyISOCode currencyPlural
    currencySymbol current currentCodeUnitOffset currentDirectory currentDirectoryPath
    currentDirectoryURL currentDiskUsage currentIndex currentLocaleDidChangeNotification
    currentMemoryUsage currentMode currentPriority currentRequest custom customIconKey
    customMirror customPlaygroundQuickLook customPronoun customized cyprus cyrillic czech
    czechia côteDIvoire daily dangi danish dash dashPunctuation data dataCorrupted
    dataCorruptedError dataDecodingStrategy dataEncodingStrategy dataLengthExceedsMaximum
    dataNotAllowed dataRepresentation dataTask dataWrittenToMemoryStreamKey date dateComponents
    dateDecodingStrategy dateEncodingStrategy dateField dateFormat dateInterval
    dateIntervalOfWeekend dateSeparator dateStyle dateTemplate dateTime dateTimeSeparator dates
    day dayOfYear daylightSaving daylightSavingTimeOffset days daysOfTheMonth daysOfTheYear
    deallocate debugDescription debugPrint decameters decigrams deciliters decimal decimalDigit
    decimalDigits decimalNumber decimalNumberDivideByZeroException
    decimalNumberExactnessException decimalNumberOverflowException
    decimalNumberUnderflowException decimalSeparator decimalValue decimeters decode decodeArray
    decodeAtomicOptionalRepresentation decodeAtomicRepresentation decodeBool decodeCInt
    decodeCString decodeData decodeDouble decodeFloat decodeIfPresent decodeInt32 decodeInt64
    decodeInteger decodeMarkdown decodeNil decodeObject decodePoint decodePropertyList
    decodeRect decodeSize decodeValue decodingConfiguration decodingFailurePolicy decomposable
    decomposables decomposedStringWithCanonicalMapping decomposedStringWithCompatibilityMapping
    decompressingAfterDownloading default defaultBehavior defaultCStringEncoding
    defaultCredential defaultDate defaultDigits defaultDigitsNoAMPM
    defaultMaxConcurrentOperationCount defaultPriority deferredToData deferredToDate degrees
    deinitialize deinitializeElement delegate delegateQueue delete deleteCharacters deleteCookie
    deleteLastPathComponent deletePathExtension deletingLastPathComponent deletingPathExtension
    delimiter demoApplicationDirectory denmark dependencies dequeueNotifications descendant
    description descriptionInStringsFileFormat desktopDirectory destinationOfSymbolicLink detach
    detachNewThread detached determiner devanagari developerApplicationDirectory
    developerDirectory developmentLocalization deviceIdentifier dhivehi diacriticInsensitive
    dictionary dictionaryRepresentation didBecomeInvalidNotification didChangeNotification
    didChangeValue didSet didTerminateNotification diegoGarcia difference digit direct directory
    directoryAttributes discard discreteInput discreteProgress diskCapacity dispatchMain
    dispatchPrecondition displayName displayStyle distance distantFuture distantPast
    distinguishedNames divide divideByZero divided dividedReportingOverflow dividing
    dividingFullWidth djibouti dnsLookupFailed documentDirectory documentIdentifier
    documentIdentifierKey documentationDirectory doesRelativeDateFormatting dogri domain
    domainLookupEndDate domainLookupStartDate domainResolutionProtocol dominica
    dominicanRepublic dotMatchesLineSeparators dotMatchesNewlines double doubleAbove doubleBelow
    doubleValue down download downloadDecodingFailedMidStream downloadDecodingFailedToComplete
    downloadTask downloading downloadsDirectory drop dropFirst dropLast dropped dump duration
    durationField dutch dynamic dzongkha eager earlierDate earliestBeginDate eb ecuador
    edgeInsetsValue editingString effectiveIconKey egypt elSalvador element elements
    elementsEqual empty emptyInput enclosingMark encode encodeArray
    encodeAtomicOptionalRepresentation encodeAtomicRepresentation encodeBycopyObject
    encodeByrefObject encodeBytes encodeConditional encodeConditionalObject encodeIfPresent
    encodeNil encodePropertyList encodeRootObject encodeValue encodedData encodedHost
    encodedOffset encodedReplacementCharacter encodingConfiguration end endDate endEditing
    endEncountered endIndex endLineWithCarriageReturn endLineWithLineFeed endsWith enforceQoS
    english enqueue enqueued enter enum enumerate enumerateAttribute enumerateAttributes
    enumerateBytes enumerateDates enumerateKeysAndObjects enumerateLines enumerateMatches
    enumerateObjects enumerateRanges enumerateSubstrings enumerated enumerator environment
    ephemeral equalTo equatorialGuinea era eraSymbols erf erfc eritrea error errorCode
    errorDescription errorDomain errorOccurred errorUserInfo escalatePriority escaped
    escapedPattern escapedTemplate estimatedTimeRemainingKey estonia estonian eswatini ethiopia
    ethiopic ethiopicAmeteAlem ethiopicAmeteMihret evaluate evaluatedObject evenHalf every
    evictsObjectsWithDiscardedContent exabits exabytes exbibits exbibytes exchange
    exchangeObject executableArchitectureMismatch executableArchitectures executableLink
    executableLoad executableNotLoadable executablePath executableRuntimeMismatch executableURL
    executionBlocks exemplarCharacterSet exemplarLocation exit exp exp2 expandingTildeInPath
    expectedContentLength expires expiresDate explicit expm1 exponent exponentBitCount
    exponentBitPattern exponentSymbol expression extend extendLifetime extended extensionHidden
    externalRepresentation extractIsolation extractValues extracting fahrenheit failWithError
    failingURL failure failureReason failureResponse failureURLString falklandIslands false
    falseBranch familyName faroeIslands faroese fastestEncoding fatalError fathoms fdim
    featureUnsupported feet feminine femtowatts fetchStartDate fiji file fileAllocatedSize
    fileAllocatedSizeKey fileAttributes fileCompletedCountKey fileCurrentOffsetKey
    fileDescriptor fileDoesNotExist fileExists fileHandleForReading fileHandleForWriting
    fileHandleOperationException fileIsDirectory fileLocking fileManager fileManagerUnmountBusy
    fileManagerUnmountUnknown fileNoSuchFile fileOperationKindKey filePath filePathURL
    fileProtectionMask fileReadCorruptFile fileReadInapplicableStringEncoding
    fileReadInvalidFileName fileReadNoPermission fileReadNoSuchFile fileReadTooLarge
    fileReadUnknown fileReadUnknownStringEncoding fileReadUnsupportedScheme
    fileResourceIdentifier fileResourceIdentifierKey fileResourceType fileResourceTypeKey
    fileSecurityKey fileSize fileSizeKey fileSystemRepresentation fileTotalCountKey fileURL
    fileURLKey fileWriteFileExists fileWriteInapplicableStringEncoding fileWriteInvalidFileName
    fileWriteNoPermission fileWriteOutOfSpace fileWriteUnknown fileWriteUnsupportedScheme
    fileWriteVolumeReadOnly filter filtered filteredIndexSet finalPunctuation finalize finish
    finishDecoding finishEncoding finishTasksAndInvalidate finished finland finnish fire
    fireDate first firstDayOfWeek firstEqual firstIndex firstMatch firstObject firstObjectCommon
    firstRange firstWeekday fixed flatMap flatMapError float floatValue floatingPointClass floor
    fluidOunces flush fmax fmin folding foot forEach forSession forceCastFailure
    forceUnwrapFailure forcedOrdering foreignReference formIndex formIntersection formRemainder
    formSquareRoot formSymmetricDifference formTruncatingRemainder formUnion format
    formatOptions formatStyle formatWidth formatted formatting formattingContext forward
    foundation fraction fractionCompleted fractionLength fractional fractionalPartDisplay
    fragment fragmentsAllowed france free freeCapacity french frenchGuiana frenchPolynesia
    frenchSouthernTerritories frequency frexp friday fromOpaque fula full fullName fullUserName
    fullwidthToHalfwidth function funlock furlongs gabon gallons gambia gb generalCategory
    generated generatesCalendarDates generatesDecimalNumbers generationIdentifier
    generationIdentifierKey generic genericLocation genericName georgia georgian german germany
    get getAllTasks getBuffer getBytes getCString getCachedResponse getCharacters getCredentials
    getDefaultCredential getEra getFileSystemRepresentation getHour getIndexes getLineStart
    getObjects getParagraphStart getRelationship getResourceValue getResult getSpecific
    getTasksWithCompletionHandler getValue ghana gibibits gibibytes gibraltar gigabits gigabytes
    gigahertz gigapascals gigawatts givenName global globalConcurrentExecutor globalDomain
    globallyUniqueString gmt goingAway gradians gram grammar grammaticalGender grams
    gramsPerLiter graphemeCluster gravity greaterThan greaterThanOrEqual greaterThanOrEqualTo
    greatestFiniteMagnitude greece greek greenland gregorian gregorianStartDate grenada
    groupOwnerAccountID groupOwnerAccountName grouping groupingSeparator groupingSize guadeloupe
    guam guatemala guernsey guinea guineaBissau gujarati gurmukhi guyana haiti halfDown halfEven
    halfUp hanSimplified hanTraditional handle hanifiRohingya hasBytesAvailable hasCommonParent
    hasDirectoryPath hasHiddenExtension hasHiddenExtensionKey hasMember hasMemberInPlane
    hasPassword hasPointerRepresentation hasPrefix hasSpaceAvailable hasSuffix
    hasThousandSeparators hash hashValue hawaiian header heardMcdonaldIslands hebrew hectares
    hectometers hectopascals height helpAnchor hertz hexDigitValue hexadecimal hfsCreatorCode
    hfsTypeCode hide high highHalf highPriority hindi hiragana hiraganaToKatakana hitEnd
    homeDirectory homeDirectoryForCurrentUser honduras hongKong horsepower host hostKey hostName
    hour hourCycle hourMinute hourMinuteSecond hourly hours httpAdditionalHeaders httpBody
    httpBodyStream httpCookieAcceptPolicy httpCookieStorage httpMaximumConnectionsPerHost
    httpMethod httpShouldHandleCookies httpShouldSetCookies httpShouldUsePipelining
    httpTooManyRedirects https hungarian hungary hypot ianaName iceland icelandic icu id
    identifier identity igbo ignoreMetacharacters ignoreUnknownCharacters ignoresCase illegal
    illegalCharacters ilogb imageURL immediate immediateDetached immutable imperialFluidOunces
    imperialGallons imperialPints imperialQuarts imperialTablespoons imperialTeaspoons in
    inRange inactive inch inches inchesOfMercury includesActualByteCount includesCount
    includesDirectoriesPostOrder includesUnit includingFractionalSeconds increaseLength index
    indexGreaterThanIndex indexGreaterThanOrEqual indexLessThanIndex indexLessThanOrEqual
    indexOfObject indexOfObjectIdentical indexRange indexes indexesOfObjects india indian
    indices indonesia indonesian inferFromPath inferringMoves infinite infinity
    inflectionAlternative inflectionRule infoDictionary inherit inheritQoS inheritedByAddedText
    init initialPunctuation initialize initializeElement initializeMemory initiallyInactive
    inner input inputMethodsDirectory insert insertionIndex insertions insetBy int16Value
    int32Value int64Value int8Value intValue integer integerAndFractionLength integerGreaterThan
    integerGreaterThanOrEqualTo integerLength integerLessThan integerLessThanOrEqualTo
    integerValue integral interjection internalError internalServerError
    internationalCurrencySymbol internationalRoamingOff interrupt intersect intersectSet
    intersection intersects intersectsSet interval invalid invalidFramePayloadData invalidInput
    invalidNonSurrogateCodePointByte invalidValue invalidate invalidateAndCancel
    invalidationConditions inverse invert inverted iotaSubscript iran iraq ireland irish isASCII
    isASCIIHexDigit isAbsolutePath isAdaptive isAliasFile isAliasFileKey isAlphabetic
    isApplication isApplicationKey isAsynchronous isAtEnd isBidiControl isBidiMirrored
    isCancellable isCancelled isCanonical isCanonicallyEquivalent isCanonicallyLessThan
    isCaseIgnorable isCased isCellular isCoderError isConstrained isContiguousUTF8
    isContinuation isCurrencySymbol isDash isDate isDateInToday isDateInTomorrow isDateInWeekend
    isDateInYesterday isDaylightSavingTime isDefaultIgnorableCodePoint isDeletableFile
    isDeprecated isDiacritic isDirectory isDirectoryKey isDiscretionary isDisjoint isEmoji
    isEmojiModifier isEmojiModifierBase isEmojiPresentation isEmpty isEqual isEquivalent
    isExcludedFromBackup isExcludedFromBackupKey isExecutable isExecutableError isExecutableFile
    isExecutableKey isExecuting isExpensive isExtender isFileError isFileURL isFinished isFinite
    isForFoodEnergyUse isForPersonHeightUse isForPersonMassUse isFormattingError isFull
    isFullCompositionExclusion isGraphemeBase isGraphemeExtend isHTTPOnly isHexDigit isHidden
    isHiddenKey isIDContinue isIDSBinaryOperator isIDSTrinaryOperator isIDStart isISOCurrency
    isISOLanguage isISORegion isISOScript isIdentical isIdeographic isIndeterminate isInfinite
    isIsolatingCurrentContext isJoinControl isKind isKnownASCII isKnownNFC
    isKnownUniquelyReferenced isLeadSurrogate isLeap isLeapMonth isLenient isLess
    isLessThanOrEqualTo isLetter isLoaded isLogicalOrderException isLowercase isMainExecutor
    isMainThread isMath isMathSymbol isMember isMountTrigger isMountTriggerKey isMultiThreaded
    isMultipath isMultiple isNaN isNewline isNoncharacterCodePoint isNormal isNull isNumber
    isOperatingSystemAtLeast isPackage isPackageKey isPartialStringValidationEnabled
    isPatternSyntax isPatternWhitespace isPausable isPaused isPhonetic isPropertyListError
    isProxy isProxyConnection isPunctuation isQuotationMark isRadical isReadable isReadableFile
    isReadableKey isReady isRegularFile isRegularFileKey isRepeatedDay isReusedConnection
    isRunning isSameExclusiveExecutionContext isSecure isSentenceTerminal isSessionOnly
    isSignMinus isSignaling isSignalingNaN isSigned isSoftDotted isStrictSubset isStrictSuperset
    isSubclass isSubnormal isSubset isSuperset isSupported isSurrogate isSuspended isSymbol
    isSymbolicLink isSymbolicLinkKey isSystemImmutable isSystemImmutableKey
    isTerminalPunctuation isTotallyOrdered isTrailSurrogate isUbiquitousFileError
    isUbiquitousItem isUbiquitousItemKey isUnifiedIdeograph isUniqueReference isUppercase
    isUserActivityError isUserImmutable isUserImmutableKey isValid isValidDate isValidJSONObject
    isValidationError isVariationSelector isVolume isVolumeKey isWhitespace isWholeNumber
    isWritable isWritableFile isWritableKey isXIDContinue isXIDStart isXPCConnectionError isZero
    islamic islamicCivil islamicTabular islamicUmmAlQura isleOfMan iso2022JP iso8601
    iso8601Components iso8601ComponentsWithTimeZone iso8601Date iso8601DateComponents
    iso8601WithTimeZone isoCode isoCountryCodes isoCurrencies isoCurrencyCodes isoLanguageCodes
    isoLatin1 isoLatin2 isoRegionCodes isoRegions israel italian italy itemReplacementDirectory
    j0 j1 jamaica japan japanese japaneseEUC jersey jn joined jordan joule joules jsonObject
    julianModified kanaVoicing kannada kashmiri katakana kazakh kazakhstan kb keepCurrent
    keepNew kelvin kenya key keyDecodingStrategy keyEncodingStrategy keyEnumerator keyNotFound
    keyPath keyValueValidation keys keysOfEntries keysOfUnsetValuesKey keysSortedByValue khmer
    kibibits kibibytes kiloampereHours kiloamperes kilobits kilobytes kilocalorie kilocalories
    kilogram kilograms kilohertz kilojoule kilojoules kiloliters kilometer kilometers
    kilometersPerHour kiloohms kilopascals kilovolts kilowattHours kilowatts kind kiribati knots
    knownTimeZoneIdentifiers knownTimeZoneNames konkani korean kosovo kurdish kurdishSorani
    kuwait kyrgyz kyrgyzstan label labelColorKey labelNumber labelNumberKey language
    languageCode languageComponents languageIdentifier lao laos last lastEqual lastIndex
    lastObject lastPathComponent lastRange laterDate latin latinAmerica latinToArabic
    latinToCyrillic latinToGreen latinToHangul latinToHebrew latinToHiragana latinToKatakana
    latinToThai latvia latvian launch launchPath launchedProcess lazy ldexp leadSurrogate
    leadingZeroBitCount leastFiniteMagnitude leastNonzeroMagnitude leastNormalMagnitude leave
    lebanon left leftToRight length lengthOfBytes lenient lesotho lessThan lessThanOrEqual
    lessThanOrEqualTo letter letterNumber letters level lexical lexicographicallyPrecedes lgamma
    lhs liberia libraryDirectory libya liechtenstein lightyears like limitDate lineDirection
    lineLayoutDirection lineLength64Characters lineLength76Characters lineRange lineSeparator
    link linkCount linkCountKey linkItem list listItem listType literal liters
    litersPer100Kilometers lithuania lithuanian littleEndian load loadAndReturnError
    loadUnaligned local localAddress localCache localDomainMask localPort locale
    localeIdentifier localizations localized localizedAdditionalDescription localizedCapitalized
    localizedCaseInsensitiveCompare localizedCaseInsensitiveContains localizedCompare
    localizedCurrency localizedDecimal localizedDescription localizedDouble
    localizedDoublePercentage localizedFailureReason localizedGMT localizedInfoDictionary
    localizedInteger localizedIntegerCurrency localizedIntegerPercentage localizedLabel
    localizedLabelKey localizedLowercase localizedName localizedNameKey localizedRecoveryOptions
    localizedRecoverySuggestion localizedScanner localizedStandardCompare
    localizedStandardContains localizedStandardRange localizedString localizedStringWithFormat
    localizedTypeDescription localizedTypeDescriptionKey localizedUppercase localizesFormat lock
    log log10 log1p log2 logb logicalAnd logicalOr logicalXor long longCharacterIsMember
    longEraSymbols longLongValue longestEffectiveRangeNotRequired lossOfPrecision low lowHalf
    lowPriority lower lowerBound lowercaseLetter lowercaseLetters lowercaseMapping lowercased
    lux luxembourg m11 m12 m21 m22 macOSRoman macao macedonian madagascar magnitude main
    mainDocumentURL mainThread maithili majorVersion makeAsyncIterator makeCharacterIterator
    makeContiguousUTF8 makeIterator makeReadSource makeSignalSource makeStream makeTimerSource
    makeUnicodeScalarIterator makeUserDataAddSource makeUserDataOrSource
    makeUserDataReplaceSource makeWriteSource malawi malay malayalam malaysia maldives mali
    malta maltese mandarinToLatin mandatoryExtensionMissing manipuri map mapError mapValues
    mappedIfSafe marathi markdownName marshallIslands martinique masculine mask matchFirst
    matchLast matchNextTime matchNextTimePreservingSmallerUnits
    matchPreviousTimePreservingSmallerUnits matchStrictly matches matchingPolicy
    matchingSemantics mathSymbol mauritania mauritius max maxConcurrentOperationCount maxX
    maxXEdge maxY maxYEdge maximalIdentifier maximum maximumAge maximumFractionDigits
    maximumIntegerDigits maximumLength maximumLengthOfBytes maximumMagnitude maximumMessageSize
    maximumRange maximumSignificantDigits maximumUnitCount mayotte mb measure measurement
    measurementSystem measurementSystems mebibits mebibytes medium megaampereHours megaamperes
    megabits megabytes megahertz megaliters megameters megaohms megapascals megavolts megawatts
    meiteiMayek member memory memoryCapacity merge mergeAttributes merging mergingAttributes
    messageTooBig messages meter meters metersPerSecond metersPerSecondSquared metric metricCups
    metricTons mexico microampereHours microamperes micrograms microhertz micrometers micronesia
    microohms microseconds microvolts microwatts midX midY middleName middleOfSentence mile
    miles milesPerGallon milesPerHour milesPerImperialGallon milliampereHours milliamperes
    millibars milligrams milligramsPerDeciliter millihertz milliliters millimeter millimeters
    millimetersOfMercury millimolesPerLiter milliohms milliseconds millisecondsSince1970
    millivolts milliwatts mimeType min minX minXEdge minY minYEdge minimalIdentifier minimum
    minimumDaysInFirstWeek minimumFractionDigits minimumIntegerDigits minimumLength
    minimumMagnitude minimumRange minimumResolution minimumSignificantDigits minorVersion minus
    minusSet minusSign minute minuteSecond minutely minutes modf modificationDate modifierLetter
    modifierSymbol moldova monaco monday mongolia mongolian montenegro month monthSymbols
    monthly months montserrat morocco morphology mountedVolumeURLs move moveAssign moveElement
    moveInitialize moveInitializeMemory moveItem moveObjects moveSubranges moveUpdate
    moviesDirectory mozambique msgid multiple multipliedFullWidth multipliedReportingOverflow
    multiplier multiply multiplying musicDirectory mutableBytes mutableContainers
    mutableContainersAndLeaves mutableCopy mutableLeaves mutableSpan mutableString myanmar māori
    name nameAlias nameKey namePrefix nameSuffix named namedPipe names namibia nan nanograms
    nanohertz nanometers nanosecond nanoseconds nanowatts narrow native nauru nauticalMiles
    navajo nearbyint negate negativeFormat negativeInfinity negativeInfinitySymbol
    negativeNormal negativePrefix negativeSubnormal negativeSuffix negativeZero negotiatedSSL
    negotiatedTLSCipherSuite negotiatedTLSProtocolVersion nepal nepali nestedContainer
    nestedUnkeyedContainer netherlands networkConnectionLost networkDomainMask networkLoad
    networkProtocolName networkServiceType networkServiceTypeCallSignaling neuter never
    newCaledonia newZealand newline newlines newtonsPerMetersSquared next nextDate
    nextDaylightSavingTimeTransition nextDown nextObject nextResult nextTime
    nextTimePreservingSmallerComponents nextUp nextWeekend nextWeekendAfter nextafter nextstep
    nibbles nicaragua nickname niger nigeria nilSymbol niue noError noFileProtection
    noPermissionsToReadFile noQoS noStatusReceived nonBase nonBaseCharacters
    nonConformingFloatDecodingStrategy nonConformingFloatEncodingStrategy nonLossyASCII none
    nonspacingMark nonzeroBitCount norfolkIsland normal normalClosure normalized northMacedonia
    northernMarianaIslands norway norwegian norwegianBokmål norwegianNynorsk not notANumber
    notANumberSymbol notAllowed notConnectedToInternet notDirectory notEqualTo notOnQueue
    notOpen notReordered notation notify noun now nth nukta null nullDevice number numberFormat
    numberFormatter numberOfCaptureGroups numberOfMatches numberOfRanges numberPart numberStyle
    numberSymbol numberingSystem numeral numeric numericCast numericType numericValue objCType
    object objectEnumerator objectForm objectIsForced objects occurrences oddHalf odia offset
    offsetBy offsetInFile ohms olChiki oman omitPaddingCharacter omitted onName onQueue
    onQueueAsBarrier onSender onTermination one oneBased oneDigit oneToTwelve oneToTwentyFour
    onlyFromMainDocumentDomain op open openCompleted openPunctuation openStep opening
    operatingSystemVersion operatingSystemVersionString operationCount operations optional
    options or order orderedAscending orderedDescending orderedSame ordinal ordinalOfDayInMonth
    ordinality origin originURL originalRequest orthography other otherLetter otherNumber
    otherPunctuation otherSymbol ounce ounces ouncesTroy output outputFormat outputFormatting
    overflow overlaps overlay overlongEncodingByte ownerAccountID ownerAccountName padded
    padding paddingCharacter paddingPosition pakistan palau palestinianTerritories panama
    papuaNewGuinea paragraph paragraphRange paragraphSeparator paraguay parameterString parent
    parentDirectory parentDirectoryURLKey parse parseScalar parseStrategy parsecs partOfSpeech
    particle partition partsPerMillion pashto passRetained passUnretained password passwordKey
    pastEnd patchVersion path pathComponents pathExtension pathKey paths pathsMatchingExtensions
    pattern pause pausingHandler pb pebibits pebibytes perMillSymbol percent
    percentEncodedFragment percentEncodedHost percentEncodedPassword percentEncodedPath
    percentEncodedQuery percentEncodedQueryItems percentEncodedUser percentSymbol perform
    performDefaultHandling permanent persian persistence persistentDomain personNameComponent
    peru petabits petabytes philippines phoneNumber phonetic phoneticRepresentation
    physicalMemory pi picograms picometers picoseconds picowatts picturesDirectory pints
    pitcairnIslands plain playgroundDescription plural pluralFew pluralMany pluralTwo plus
    plusSign pmSymbol pointValue pointee pointer pointwiseMax pointwiseMin poland
    policyViolation polish popFirst popLast port portKey portList portugal portuguese
    positiveFormat positiveInfinity positiveInfinitySymbol positiveNormal positivePrefix
    positiveSubnormal positiveSuffix positiveZero posix posixPermissions possessive
    possessiveAdjectiveForm possessiveForm post pound pounds poundsForcePerSquareInch pow
    precision precomposedStringWithCanonicalMapping precomposedStringWithCompatibilityMapping
    precondition preconditionFailure preconditionIsolated predecessor predicateFormat
    preferencePanesDirectory preferredIOBlockSize preferredIOBlockSizeKey preferredLanguages
    preferredLocales preferredLocalizations prefix prefixMatch preflight prepend preposition
    presentation prettyPrinted previous previousFailureCount
    previousTimePreservingSmallerComponents principalClass print printerDescriptionDirectory
    priority privateFrameworksPath privateFrameworksURL privateUse processIdentifier processInfo
    processName processorCount produceFileReferenceURLs producesRelativePathURLs progress
    projectedValue pronoun properties property propertyList propertyListReadCorrupt
    propertyListReadStream propertyListReadUnknownVersion propertyListWriteInvalid
    propertyListWriteStream proposedCredential protectionKey protectionSpace protocol
    protocolClasses protocolError protocolFamily proxyType puertoRico punctuation
    punctuationCharacters punjabi qatar qos qosClass qualityOfService quarantineProperties
    quarantinePropertiesKey quarter quarterSymbols quarts query queryItems queuePriority
    quietNaN quotationBeginDelimiter quotationBeginDelimiterKey quotationEndDelimiter
    quotationEndDelimiterKey quote quotientAndRemainder radians radix raiseException raising
    random randomElement range rangeOfCharacter rangeOfComposedCharacterSequence
    rangeOfComposedCharacterSequences rangeOfFirstMatch rangeOfFragment rangeOfHost
    rangeOfPassword rangeOfPath rangeOfPort rangeOfQuery rangeOfScheme rangeOfUser rangeValue
    rangeView ranges rawValue read readCompletionNotification readData readDataToEndOfFile
    readInBackgroundAndNotify readLine readToEnd readToEndOfFileInBackgroundAndNotify
    readabilityHandler reading realm receive receivePort receivesCredentialSecurely receiving
    recoveryAttempter recoveryOptions recoverySuggestion rectValue recurrences redirectCount
    redirectToNonExistentLocation reduce referenceCount reflexiveForm regex region regionCode
    regions register registerClass registrationDomain regular regularExpression
    regularExpressionCheckingResult rejectProtectionSpace rejectProtectionSpaceAndContinue
    relatedGregorian relatedGregorianYear relative relativePath relativePriority relativeString
    relaxed release releasing reloadIgnoringCacheData reloadIgnoringLocalAndRemoteCacheData
    reloadIgnoringLocalCacheData reloadRevalidatingCacheData reluctant remainder
    remainderReportingOverflow remoteAddress remotePort removals remove removeAll
    removeAllCachedResourceValues removeAllCachedResponses removeAllIndexes removeAllObjects
    removeAttribute removeCachedResourceValue removeCachedResponse removeCachedResponses
    removeCharacters removeCookies removeDependency removeFirst removeItem removeLast
    removeLastObject removeObject removeObjects removeObserver removePersistentDomain
    removeProperty removeSubrange removeSubranges removeSuite removeValue removeVolatileDomain
    removingLastIndex removingPercentEncoding removingSubranges remquo rename repeatElement
    repeatedTimePolicy repeatedValue repetitionBehavior replace replaceAttributes replaceBytes
    replaceCharacters replaceItem replaceItemAt replaceMatches replaceObject replaceObjects
    replaceOccurrences replaceSubrange replacement replacementIndex replacementObject
    replacementString replacing replacingAttributes replacingCharacters replacingOccurrences
    reportCompletion reportProgress republicOfChina request requestBodyStreamExhausted
    requestCachePolicy requestEndDate requestHeaderFields requestIsCacheEquivalent
    requestStartDate requiredEnd requiredKeys requiresSecureCoding reserveCapacity
    reservedSpaceLength reset resetBytes resetStandardUserDefaults resetSystemTimeZone
    resignCurrent resolveSymlinksInPath resolvingSymlinksInPath resourceFetchType resourcePath
    resourceSpecifier resourceURL resourceUnavailable resourceValues response responseEndDate
    responseStartDate result resultType resume resumingHandler retain returnCacheDataDontLoad
    returnCacheDataElseLoad reverse reverseObjectEnumerator reversed reversedSortDescriptor
    revoke revolutions rhs right rightToLeft rint rohingya romania romanian root rootType rotate
    round rounded rounding roundingBehavior roundingIncrement roundingMode roundingRule run
    runBoundaries runDetached runSynchronously running runs russia russian rwanda réunion
    saintBarthélemy saintHelena saintKittsNevis saintLucia saintMartin saintPierreMiquelon
    saintVincentGrenadines same samePosition samoa samoan sanMarino sanskrit santali saturday
    saudiArabia scalarCount scalarValue scalbn scale scaleX scanCharacter scanCharacters
    scanCharactersFromSet scanDecimal scanDouble scanFloat scanHexDouble scanHexFloat
    scanHexInt32 scanHexInt64 scanInt scanInt32 scanInt64 scanLocation scanString scanUInt64
    scanUnsignedLongLong scanUpTo scanUpToCharacters scanUpToCharactersFromSet scanUpToString
    scandinavianMiles schedule scheduleOneshot scheduleRepeating scheduledTimer scheme
    scientific script scriptCode searchBackwards searchRules second secondFraction
    secondaryGroupingSize seconds secondsFromGMT secondsSince1970 secure secureConnectionEndDate
    secureConnectionFailed secureConnectionStartDate seek seekToEnd seekToEndOfFile self send
    sendPing sendPort sender senegal sequence sequentiallyConsistent serbia serbian
    serverCertificateHasBadDate serverCertificateHasUnknownRoot serverCertificateNotYetValid
    serverCertificateUntrusted serverPush sessionDescription set setArray setAttributedString
    setAttributes setCancelHandler setClass setClassName setCookie setCookies setCustomPronoun
    setData setDefaultCredential setDelegate setDictionary setErrorAndReturn setEventHandler
    setInterval setLimit setLocalizedDateFormatFromTemplate setObject setPersistentDomain
    setPositions setProperty setRegistrationHandler setResourceValue setResourceValues setSet
    setSpecific setString setTarget setTemporaryResourceValue setUserInfoObject
    setUserInfoValueProvider setValue setVolatileDomain settingAttributes seychelles shared
    sharedContainerIdentifier sharedCookieStorage sharedFrameworksPath sharedFrameworksURL
    sharedKeySet sharedPublicDirectory sharedSupportPath sharedSupportURL sharedUnownedExecutor
    shift shiftIndexesStarting shiftJIS short shortDaylightSaving shortGeneric shortMonthSymbols
    shortQuarterSymbols shortStandaloneMonthSymbols shortStandaloneQuarterSymbols
    shortStandaloneWeekdaySymbols shortStandard shortTons shortWeekdaySymbols shortened
    shouldUseExtendedBackgroundIdleMode show shuffle shuffled sierraLeone sign signal
    signalingNaN significand significandBitCount significandBitPattern significandWidth
    significantDigits signum simple sin sindhi singapore singleValueContainer singular sinh
    sinhala sintMaarten size sizeValue skipBack skipDescendants skipForward skipHiddenVolumes
    skipsHiddenFiles skipsPackageDescendants skipsSubdirectoryDescendants sleep slovak slovakia
    slovenia slovenian slugs smallestEncoding socket socketSecurityLevelKey socketType
    socksProxyConfigurationKey solomonIslands somalia some sort sortRange sorted sortedArray
    sortedArrayHint sortedCookies sortedKeys southAfrica southGeorgiaSouthSandwichIslands
    southKorea southSudan space spaceSeparator spacingMark spain span spanish spawn
    spawnUnlessCancelled specificName spellOut spelledOutValue spelling spellsOutZero split
    squareCentimeters squareFeet squareInches squareKilometers squareMegameters squareMeters
    squareMicrometers squareMiles squareMillimeters squareNanometers squareRoot squareYards
    sriLanka ssLv2 ssLv3 stable stackSize standalone standaloneMonthSymbols
    standaloneQuarterSymbols standaloneWeekdaySymbols standard standardError standardInput
    standardOutput standardize standardized standardizedFileURL standardizingPath start
    startDate startIndex startLoading startOfDay starts state statusCode stone stones stop
    stopLoading storagePolicy store storeBytes storeCachedResponse storeIfNil stream streamError
    streamStatus strict strictInterval stride string stringArray stringByReplacingMatches
    stringComparator stringEncoding stringRepresentation stringValue stringsByAppendingPaths
    stripCombiningMarks stripDiacritics struct style subRegions subarray subcontinent subdata
    subdivision subject subjectForm subjectType subpaths subpathsOfDirectory subpredicates
    subquery subranges subscript substring substringNotRequired subtract subtracting
    subtractingReportingOverflow success successor suffix suggestedFilename sum sunday
    superDecoder superEncoder superclass superclassMirror supportsSecureCoding suppressed
    suriname surrogate surrogateCodePointByte suspend suspended suspending svalbardJanMayen
    swahili swap swapAt sweden swedish swift_unboxFromSwiftValueWithType switzerland symbol
    symbolicLink symbols symmetricDifference sync synchronizable synchronize synchronizeFile
    syriac system systemDomainMask systemEpoch systemFileNumber systemFreeNodes systemFreeSize
    systemLanguages systemNodes systemNumber systemSize systemUptime systemVersion
    sãoToméPríncipe tX tY tablespoons tagNames tagNamesKey tagalog taiwan tajik tajikistan take
    takeRetainedValue takeUnretainedValue tamil tan tanh tanzania task taskDescription
    taskIdentifier taskInterval tb tcp teaspoons tebibits tebibytes telugu temporaryDirectory
    terabits terabytes terahertz terawatts terminate terminated terminationHandler
    terminationReason terminationStatus territory test text textAttributesForNegativeInfinity
    textAttributesForNegativeValues textAttributesForNil textAttributesForNotANumber
    textAttributesForPositiveInfinity textAttributesForPositiveValues textAttributesForZero
    textChanged textEncodingName tgamma thaana thai thailand thousandSeparator threadDictionary
    threeDigits throughputKey throw thumbnailDictionaryKey thumbnailKey thursday tibetan time
    timeInterval timeIntervalBetween1970AndReferenceDate timeIntervalSince timeIntervalSince1970
    timeIntervalSinceNow timeIntervalSinceReferenceDate timeSeparator timeStyle timeZone
    timeZoneDataVersion timeZoneSeparator timedOut timeoutInterval timeoutIntervalForRequest
    timeoutIntervalForResource timorLeste titlecaseLetter titlecaseMapping tlSv1 tls
    tlsHandshakeFailure toLatin toMemory toNearestOrAwayFromZero toNearestOrEven toOpaque
    toUnicodeName toXMLHex toggle togo tokelau tolerance tonga tongan top topToBottom
    totalCostLimit totalFileAllocatedSize totalFileAllocatedSizeKey totalFileSize
    totalFileSizeKey totalUnitCount towardZero trailSurrogate trailingZeroBitCount
    transactionMetrics transcode transcodedLength transform transformStruct
    transformingAttributes transitInformation translate translateX trashDirectory trimPrefix
    trimmingCharacters trimmingPrefix trinidadTobago tristanDaCunha true trueBranch truncate
    truncateFile truncatedScalar truncatingRemainder try tryLock tuesday tunisia tuple turkey
    turkish turkmen turkmenistan turksCaicosIslands tuvalu twelveHour twentyFourHour
    twoDigitStartDate twoDigits twoDigitsNoAMPM type typeBlockSpecial typeCharacterSpecial
    typeDirectory typeIdentifier typeIdentifierKey typeMismatch typeRegular typeSocket
    typeSymbolicLink typeUnknown ubiquitousFileNotUploadedDueToQuota
    ubiquitousFileUbiquityServerNotAvailable ubiquitousFileUnavailable
    ubiquitousItemContainerDisplayName ubiquitousItemContainerDisplayNameKey
    ubiquitousItemDownloadRequested ubiquitousItemDownloadRequestedKey
    ubiquitousItemDownloadingError ubiquitousItemDownloadingErrorKey
    ubiquitousItemDownloadingStatusKey ubiquitousItemHasUnresolvedConflicts
    ubiquitousItemHasUnresolvedConflictsKey ubiquitousItemIsDownloading
    ubiquitousItemIsDownloadingKey ubiquitousItemIsUploaded ubiquitousItemIsUploadedKey
    ubiquitousItemIsUploading ubiquitousItemIsUploadingKey ubiquitousItemUploadingError
    ubiquitousItemUploadingErrorKey udp uganda uint16Value uint32Value uint64Value uint8Value
    uintValue uk ukraine ukrainian ulp ulpOfOne unarchiveObject unarchiveTopLevelObjectWithData
    unarchivedObject unarchiver unarchiverDidFinish unarchiverWillFinish unassigned unavailable
    unbounded uncached uncaughtSignal uncoded undefinedVariable underestimatedCount underflow
    underlying underlyingError underlyingErrors underlyingQueue unexpectedContinuationByte
    unicode unicodeScalar unicodeScalars unicodeScalarsEqual unidentified union unionSet unit
    unitString unitStringDisplayedAdjacent unitStyle unitWidth unitedArabEmirates unitedKingdom
    unitedStates unitedStatesOutlyingIslands unitedStatesVirginIslands units unitsStyle
    unkeyedContainer unknown unload unlock unmap unownedExecutor unownedTaskExecutor
    unregisterClass unsafeArgv unsafeBitCast unsafeDowncast unsafeLoad unsafeLoadUnaligned
    unsafelyUnwrapped unspecified unsupportedData unsupportedURL untilFinished up update
    updateValue upload uploadTask upper upperBound uppercaseLetter uppercaseLetters
    uppercaseMapping uppercased uptimeNanoseconds urdu url urlCache urlCredentialStorage
    urlFragmentAllowed urlHostAllowed urlPasswordAllowed urlPathAllowed urlProtocol
    urlProtocolDidFinishLoading urlQueryAllowed urlSession urlUserAllowed urls uruguay us use
    useAll useBytes useCredential useDefaultKeys useEB useGB useKB useMB useNewRequest usePB
    useProtocolCachePolicy useTB useUnicodeWordBoundaries useUnixLineSeparators useYBOrHigher
    useZB user userActivityConnectionUnavailable userActivityHandoffFailed
    userActivityHandoffUserInfoTooLarge userActivityRemoteApplicationTimedOut
    userAuthenticationRequired userCancelled userCancelledAuthentication userDirectory
    userDomainMask userInfo userInfoValueProvider userInitiated userInteractive userKey userName
    usesGroupingSeparator usesMetricSystem usesSignificantDigits usingNewMetadataOnly utf16
    utf16BigEndian utf16LittleEndian utf16Offset utf32 utf32BigEndian utf32LittleEndian utf8
    utf8CString utf8CodeUnitCount utf8Span utf8Start utf8String utility uuid uuidString uyghur
    uzbek uzbekistan valid value valueLengthLimits valueNotFound valueType values vanuatu
    variable variant variantCode vaticanCity venezuela verb verbatim version version4 version5
    versionKey veryHigh veryLow veryShortMonthSymbols veryShortStandaloneMonthSymbols
    veryShortStandaloneWeekdaySymbols veryShortWeekdaySymbols video vietnam vietnamese vikram
    virama voIP voice voip volatileDomain volatileDomainNames volts volume
    volumeAvailableCapacity volumeAvailableCapacityKey volumeCreationDate volumeCreationDateKey
    volumeIdentifier volumeIdentifierKey volumeIsAutomounted volumeIsAutomountedKey
    volumeIsBrowsable volumeIsBrowsableKey volumeIsEjectable volumeIsEjectableKey
    volumeIsEncrypted volumeIsEncryptedKey volumeIsInternal volumeIsInternalKey
    volumeIsJournaling volumeIsJournalingKey volumeIsLocal volumeIsLocalKey volumeIsReadOnly
    volumeIsReadOnlyKey volumeIsRemovable volumeIsRemovableKey volumeIsRootFileSystem
    volumeIsRootFileSystemKey volumeLocalizedFormatDescription
    volumeLocalizedFormatDescriptionKey volumeLocalizedName volumeLocalizedNameKey
    volumeMaximumFileSize volumeMaximumFileSizeKey volumeName volumeNameKey volumeResourceCount
    volumeResourceCountKey volumeSupportsAdvisoryFileLocking
    volumeSupportsAdvisoryFileLockingKey volumeSupportsCasePreservedNames
    volumeSupportsCasePreservedNamesKey volumeSupportsCaseSensitiveNames
    volumeSupportsCaseSensitiveNamesKey volumeSupportsCompression volumeSupportsCompressionKey
    volumeSupportsExclusiveRenamingKey volumeSupportsExtendedSecurity
    volumeSupportsExtendedSecurityKey volumeSupportsFileCloningKey volumeSupportsHardLinks
    volumeSupportsHardLinksKey volumeSupportsJournaling volumeSupportsJournalingKey
    volumeSupportsPersistentIDs volumeSupportsPersistentIDsKey volumeSupportsRenaming
    volumeSupportsRenamingKey volumeSupportsRootDirectoryDates
    volumeSupportsRootDirectoryDatesKey volumeSupportsSparseFiles volumeSupportsSparseFilesKey
    volumeSupportsSwapRenamingKey volumeSupportsSymbolicLinks volumeSupportsSymbolicLinksKey
    volumeSupportsVolumeSizes volumeSupportsVolumeSizesKey volumeSupportsZeroRuns
    volumeSupportsZeroRunsKey volumeTotalCapacity volumeTotalCapacityKey volumeURLForRemounting
    volumeURLForRemountingKey volumeURLKey volumeUUIDString volumeUUIDStringKey wait waitForAll
    waitForDataInBackgroundAndNotify waitUntilAllOperationsAreFinished waitUntilExit
    waitUntilFinished wallisFutuna watts weakCompareExchange webSocketTask wednesday week
    weekOfMonth weekOfYear weekday weekdayOrdinal weekdaySymbols weekdays weekly weeks welsh
    westernSahara whenIdle whitespace whitespaceAndNewline whitespaces whitespacesAndNewlines
    wholeMatch wholeNumberValue wide width widthInsensitive willChangeValue willSet
    windowsCP1250 windowsCP1251 windowsCP1252 windowsCP1253 windowsCP1254 windowsLocaleCode
    with12s withCString withCancellationHandler withCheckedContinuation
    withCheckedThrowingContinuation withColonSeparatorInTime withColonSeparatorInTimeZone
    withContiguousMutableStorageIfAvailable withContiguousStorageIfAvailable
    withDashSeparatorInDate withDay withDecodedUnsafeBufferPointer withDecodedUnsafeBytes
    withDiscardingTaskGroup withExtendedLifetime withFileSystemRepresentation
    withFractionalSeconds withFullDate withFullTime withGroup withInternetDateTime withLock
    withLockIfAvailable withMemoryRebound withMonth withMutableCharacters withMutation
    withObservationTracking withSerialExecutor withSpaceBetweenDateAndTime
    withTaskCancellationHandler withTaskExecutorPreference withTaskGroup
    withTaskPriorityEscalationHandler withThrowingDiscardingTaskGroup withThrowingTaskGroup
    withTime withTimeZone withTransparentBounds withUTF8 withUTF8Buffer withUnsafeBufferPointer
    withUnsafeBytes withUnsafeContinuation withUnsafeCurrentTask
    withUnsafeFileSystemRepresentation withUnsafeMutableBufferPointer withUnsafeMutableBytes
    withUnsafeMutablePointer withUnsafeMutablePointerToElements withUnsafeMutablePointerToHeader
    withUnsafeMutablePointers withUnsafePointer withUnsafeTemporaryAllocation
    withUnsafeThrowingContinuation withVaList withValue withWeekOfYear withYear
    withoutActuallyEscaping withoutAnchoringBounds withoutDeletingBackupItem
    withoutEscapingSlashes withoutOverwriting withoutUI wordBoundaryKind words workItem world
    wrapComponents wrapped wrappedSum wrappedValue wrappingAdd wrappingSubtract write
    writeJSONObject writeabilityHandler writing writingDirection xml xpcConnectionInterrupted
    xpcConnectionInvalid xpcConnectionReplyInvalid y0 y1 yard yards yb ybOrHigher year
    yearForWeekOfYear yearly yemen yiddish yield yn yobibits yobibytes yottabits yottabytes
    zambia zb zebibits zebibytes zero zeroBased zeroByteResource zeroPadsFractionDigits
    zeroSymbol zeroToEleven zeroToTwentyThree zeroValueUnitsDisplay zettabits zettabytes
    zimbabwe zip
    """.split { $0 == " " || $0 == "\n" })
}
