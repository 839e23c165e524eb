// Written by OfferedNamesTests from the sources of the SDK.
// swift-format-ignore-file

extension OfferedNames {
  /// The types of the SDK.
  static let types: Set<Substring> = Set(
    """
    AccessibilityChildBehavior AccessibilityHeadingLevel AccessibilityTraits
    AccessoryCircularCapacityGaugeStyle AccessoryCircularGaugeStyle
    AccessoryLinearCapacityGaugeStyle AccessoryLinearGaugeStyle AccessoryWidgetBackground
    AccessoryWidgetGroupStyle Activity ActivityAttributes ActivityAuthorizationError
    ActivityAuthorizationInfo ActivityConfiguration ActivityContent ActivityFamily
    ActivityPreviewViewKind ActivityState ActivityUIDismissalPolicy ActivityViewContext
    AlertConfiguration AlertSound Alignment AlignmentID Angle AngularGradient Animatable
    AnimatableData AnimatablePair Animation AnyGradient AnyShape AnyShapeStyle AnyTransition
    AnyView AppDependency AppDependencyManager AppEntity AppEnum AppIntent
    AppIntentConfiguration AppIntentControlConfiguration AppIntentControlValueProvider
    AppIntentError AppIntentRecommendation AppIntentTimelineProvider AppShortcut
    AppShortcutParameterPresentation AppShortcutParameterPresentationSummary AppShortcutPhrase
    AppShortcutPhraseToken AppShortcutsBuilder AppShortcutsProvider AppStorage AppValue
    AsyncImage AsyncImagePhase AudioPlaybackIntent AudioRecordingIntent AudioStartingIntent
    AutomaticLabeledContentStyle Axis BackgroundStyle BackgroundTask Bindable Binding BlendMode
    Body BorderedButtonStyle BorderedProminentButtonStyle BorderlessButtonStyle
    BundleDescription Button ButtonBorderShape ButtonRole ButtonStyle ButtonStyleConfiguration
    ButtonToggleStyle CGLineCap CGLineJoin Cadence CameraCaptureIntent Canvas CapitalizationType
    Capsule Case CaseDisplayRepresentable Circle CircularGaugeStyle CircularProgressViewStyle
    Color ColorRenderingMode ColorResource ColorScheme ColorSchemeContrast
    ComparableComparisonOperator Configuration ContainerBackgroundPlacement
    ContainerRelativeShape Content ContentMarginPlacement ContentMode ContentShapeKinds
    ContentSizeCategory ContentState ContentTransition ContentUnavailableView Context
    ControlCenter ControlConfigurationIntent ControlInfo ControlPushHandler ControlPushInfo
    ControlSize ControlValueProvider ControlWidget ControlWidgetButton
    ControlWidgetConfiguration ControlWidgetTemplate ControlWidgetTemplateBuilder
    ControlWidgetToggle CoordinateSpace CoordinateSpaceProtocol CurrentValueLabel
    CustomIntentMigratedAppIntent CustomLocalizedStringResourceConvertible DateKind DateStyle
    DateTimeStyle DefaultButtonStyle DefaultCase DefaultDateProgressLabel DefaultGaugeStyle
    DefaultLabelStyle DefaultProgressViewStyle DefaultQuery DefaultToggleStyle DefaultValue
    DeleteIntent Dependency DeprecatedAppIntent Design DismissAction DisplayRepresentation
    Divider DragGesture DynamicIsland DynamicIslandExpandedContent
    DynamicIslandExpandedContentBuilder DynamicIslandExpandedRegion
    DynamicIslandExpandedRegionPosition DynamicIslandMode DynamicIslandPreviewViewState
    DynamicIslandVerticalPlacement DynamicOptionsProvider DynamicProperty DynamicTypeSize Edge
    EdgeInsets Ellipse EllipticalGradient EmptyAnimatableData EmptyModifier
    EmptyParameterSummary EmptyView EmptyWidgetConfiguration Entity EntityIdentifierConvertible
    EntityProperty EntityQuery EntityStringQuery Entries Entry EnumerableEntityQuery Environment
    EnvironmentKey EnvironmentObject EnvironmentValues EnvironmentVariants
    EquatableComparisonOperator EquatableView ExplicitTimelineSchedule FillShapeStyle FillStyle
    FitnessState FocusState Font ForEach ForegroundContinuableIntent ForegroundStyle Gauge
    GaugeStyle GaugeStyleConfiguration GeometryProxy GeometryReader Gesture GestureState
    GlobalCoordinateSpace Gradient GraphicsContext Grid GridItem GridRow Group HStack
    HasValueComparisonOperator HierarchicalShapeStyle HorizontalAlignment HorizontalEdge ID
    INBooleanResolutionResult INDailyRoutineRelevanceProvider INDailyRoutineSituation
    INDateComponentsResolutionResult INDateRelevanceProvider INDoubleResolutionResult
    INEnumResolutionResult INExtension INImage INIntegerResolutionResult INIntent
    INIntentHandlerProviding INIntentHandlingStatus INIntentResolutionResult INIntentResponse
    INInteraction INInteractionDirection INObject INObjectCollection INObjectResolutionResult
    INObjectSection INRelevanceProvider INRelevantShortcut INRelevantShortcutRole
    INRelevantShortcutStore INShortcut INSpeakableString INStringResolutionResult
    INTimeIntervalResolutionResult INURLResolutionResult INVoiceShortcutCenter Icon
    IconOnlyLabelStyle Image ImageResource InferredLocation InputConnectionBehavior InsetShape
    InsettableShape InstanceDisplayRepresentable Intent IntentAuthenticationPolicy
    IntentCollectionSize IntentConfiguration IntentControlStyle IntentDescription IntentDialog
    IntentDisplayName IntentDonationIdentifier IntentDonationManager
    IntentDonationMatchingPredicate IntentFile IntentInputOptions IntentItem
    IntentItemCollection IntentItemSection IntentKind IntentParameter IntentParameterDependency
    IntentParameterSummary IntentPrediction IntentPredictionConfiguration IntentPredictionGroup
    IntentPredictionsBuilder IntentRecommendation IntentResult IntentResultContainer
    IntentTimelineProvider IntentWidgetFamily InterfaceOrientation Interpolation Item
    ItemCollection ItemSection KeyboardType Label LabelStyle LabelStyleConfiguration
    LabeledContent LabeledContentStyle LabeledContentStyleConfiguration LayoutDirection
    LazyHGrid LazyHStack LazyVGrid LazyVStack Leading LegibilityWeight LevelOfDetail LineStyle
    LinearCapacityGaugeStyle LinearGaugeStyle LinearGradient LinearProgressViewStyle Link
    LinkShapeStyle List ListStyle LiveActivityIntent LiveActivityStartingIntent
    LocalCoordinateSpace LocalizationValue LocalizedStringKey LocalizedStringResource Logger
    LongPressGesture Mask MatchedGeometryProperties Material MaximumValueLabel MinimumValueLabel
    ModifiedContent NSUserActivity NamedCoordinateSpace Namespace NegativeAppShortcutPhrase
    NegativeAppShortcutPhraseString NegativeAppShortcutPhrasesBuilder OSAllocatedUnfairLock
    OSLog OSLogFloatFormatting OSLogIntegerFormatting OSLogInterpolation OSLogMessage
    OSLogPrivacy OSLogStringAlignment OSLogType ObservableObject ObservedObject OpenIntent
    OpenURLAction OpenURLIntent OpensIntent OptionsOffering Orientation Outcome Parameter
    ParameterKeyPath ParameterKeyPathsBuilder ParameterSummary ParameterSummaryBuilder
    ParameterSummaryCaseBuilder ParameterSummaryCaseCondition
    ParameterSummaryDefaultCaseCondition ParameterSummaryGroup ParameterSummaryOneOfOperator
    ParameterSummaryString ParameterSummarySwitchCondition ParameterSummaryWhenCondition
    ParameterSummaryWidgetFamily Path Pattern PerformResult PeriodicTimelineSchedule
    PersistentlyIdentifiable PinnedScrollableViews PlaceholderTextShapeStyle PlainButtonStyle
    PlainListStyle PredictableIntent Prediction PredictionConfiguration PreferenceKey Preview
    PreviewActivityBuilder PreviewContext PreviewContextKey PreviewDevice PreviewLayout
    PreviewPlatform PreviewProvider PreviewTimelineBuilder PreviewTrait Previews
    PrimitiveButtonStyle PrimitiveButtonStyleConfiguration ProgressReportingIntent ProgressView
    ProgressViewStyle ProgressViewStyleConfiguration Prominence Property ProvidesDialog
    Published PushType RGBColorSpace RadialGradient Rectangle RectangleCornerRadii
    RedactionReasons RefreshAction RelativeDateTimeFormatter RelevanceConfiguration
    RelevanceEntriesProvider RelevanceEntriesProviderContext RelevanceEntry RelevantContext
    RelevantIntent RelevantIntentManager ReloadReceipt ResizingMode Resolved Result
    ResultsCollection ReturnsValue RoundedCornerStyle RoundedRectangle SafeAreaRegions Scale
    ScaledMetric ScenePhase SceneStorage ScrollView Section SeparatorShapeStyle Set
    SetValueIntent Shading ShadowStyle Shape ShapeStyle ShortcutTileColor
    ShowInAppSearchResultsIntent ShowsSnippetView Size SleepState SnippetPlace Spacer State
    StateObject StaticConfiguration StaticControlConfiguration Stop StringInterpolation
    StringResult StrokeStyle Summary SummaryContent Switch SwitchToggleStyle SymbolRenderingMode
    SymbolVariants SystemIntent TapGesture TemplateRenderingMode Text TextAlignment TextStyle
    Timeline TimelineEntry TimelineEntryRelevance TimelineProvider TimelineProviderContext
    TimelineReloadPolicy TimelineSchedule TimelineView TimelineViewDefaultContext TintShapeStyle
    Title TitleAndIconLabelStyle TitleOnlyLabelStyle Toggle ToggleStyle ToggleStyleConfiguration
    Transaction TransientAppEntity TruncationMode TupleView TypeDisplayRepresentable
    TypeDisplayRepresentation UIColor UIImage UnevenRoundedRectangle UniqueAppEntityQuery
    UnitPoint UnitsStyle Unrecoverable UnwrappedType UserInfoKey UserInterfaceSizeClass VStack
    Value ValueType VectorArithmetic VerticalAlignment VerticalEdge View ViewBuilder
    ViewDimensions ViewModifier ViewThatFits ViewTraits Views Visibility Weight When Widget
    WidgetAccentedRenderingMode WidgetBundle WidgetBundleBuilder WidgetCenter WidgetCenterError
    WidgetChange WidgetConfiguration WidgetConfigurationIntent WidgetFamily WidgetInfo
    WidgetLocation WidgetMountingStyle WidgetPreviewContext WidgetPushHandler WidgetPushInfo
    WidgetRelevance WidgetRelevanceAttribute WidgetRelevanceGroup WidgetRenderingMode
    WidgetTexture Width Wrapper ZStack
    """.split { $0 == " " || $0 == "\n" })

  /// The functions, properties and cases of the SDK.
  static let members: Set<Substring> = Set(
    """
    a abbreviated absent accentColor accentable accented accentedDesaturated accepted
    accessibility accessibility1 accessibility2 accessibility3 accessibility4 accessibility5
    accessibilityAddTraits accessibilityDifferentiateWithoutColor accessibilityElement
    accessibilityEnabled accessibilityExtraExtraExtraLarge accessibilityExtraExtraLarge
    accessibilityExtraLarge accessibilityHeading accessibilityHidden accessibilityHint
    accessibilityIdentifier accessibilityIgnoresInvertColors accessibilityInputLabels
    accessibilityInvertColors accessibilityLabel accessibilityLarge accessibilityMedium
    accessibilityReduceMotion accessibilityReduceTransparency accessibilityRemoveTraits
    accessibilityRepresentation accessibilityShowButtonShapes accessibilitySortPriority
    accessibilityValue accessibilityVoiceOverEnabled accessoryCircular accessoryCircularCapacity
    accessoryCorner accessoryInline accessoryLinear accessoryLinearCapacity accessoryRectangular
    accessoryWidgetGroupStyle active activeWorkout activities activityBackgroundTint
    activityEnablementUpdates activityFamily activityID activityState activityStateUpdates
    activitySystemActionForegroundColor activityType activityUpdates adaptive add addArc addBody
    addCurve addDeeper addEllipse addLine addLines addPath addQuadCurve addRect addRects
    addRelativeArc addRoundedRect addUserInfoEntries after alignment alignmentGuide all
    allEntities allItems allowsHitTesting allowsTightening alpha alternativeSpeakableMatches
    alwaysAllowed angle angular angularGradient animatableData animation announce ansi answer
    answered antialiased app appIntent appRefresh appShortcuts append appendInterpolation
    appendLiteral applicationName apply applyFrame arc areActivitiesEnabled argument arguments
    asciiCapable aspectRatio asset associatedKind asymmetric at atEnd atURL attached attributes
    authenticationPolicy auto automatic axes background backgroundStyle backgroundTask bar
    bareBox base baselineOffset becomeCurrent becomeProgram before beginAnswer belowIfTooWide
    beside bevel black blank blanked blanks blendMode block blocks blue blur body bold boolean
    border bordered borderedProminent borderless bottom bottomLeading bottomLeft bottomRight
    bottomTrailing bouncy bounded box brightness brown buffer buildArray buildBlock buildEither
    buildExpression buildIf buildLimitedAvailability buildOptional bundle butt button
    buttonBorderShape buttonStyle byte bytes cadence calendar call callAsFunction callout cancel
    capsule caption caption2 carPlay caseDisplayRepresentations cases catalog category
    categoryName cells center centerFirstTextBaseline centerLastTextBaseline cgPath change
    changed changes changing channel child children chosen circle circular clamped clear clip
    clipShape clipped clock closeSubpath coalesced code codes collector color colorBurn
    colorDodge colorInvert colorMultiply colorScheme colorSchemeContrast colorSchemeWasRead
    colors column columnSpacing columns combine combined commute compact compactLeading
    compactTrailing complain complete completion components compositingGroup compressed concat
    condensed configuration configurationDisplayName configurationIntent configure
    configureSoFar configureToPerform configured configuring confirmation confirmationRequired
    confirmed conforming conicGradient connectToPreviousIntentResult constant contain container
    containerBackground containerBackgroundRemovable containerLayer containerRadius
    containerRelative containerRelativeFrame containerURL contains content contentMargins
    contentMarginsDisabled contentShape contentState contentStateUpdates contentTransition
    contentUpdates contents context contextMenuPreview continuous contrast controlSize
    coordinateSpace copy cornerRadii cornerRadius cornerSize count countsDown coversPrivate
    critical current currentConfigurations currentControls currentPushInfo currentValue
    currentValueLabel custom cyan daemonUnavailable dark darkGray darkTree darken dash dashDot
    dashDotDot dashPhase data date dateInterval dateTime dateTimeStyle days deadline debug
    debugDescription decimal declarations default defaultLayout defaultMinListRowHeight
    defaultQuery defaultResult defaultValue deferred deferredToApplication degrees delay delete
    deleteAll deleteDonations denied desaturated describe described describer description
    descriptionText descriptor design destination destinationOut destinationOver destructive
    device dialog dictionaryRepresentation difference digits direction disabled
    disablesAnimations disambiguation discarded disfavoredLocations dismiss dismissed display
    displayImage displayName displayP3 displayRepresentation displayScale displaySize
    displayString distance divider donate done dot down downMirrored draw drawLayer drawing
    drawingGroup drawn drop dropped duration dynamicIsland dynamicTypeSize easeIn easeInOut
    easeOut edge edgesIgnoringSafeArea element elements elevated ellipse empty end endDate
    endRadius ended entities entity entityIdentifier entityIdentifierString entityNotFound
    entries entry enumeration environment environmentObject environmentVariants equalTo
    equatable error errorDescription evaluate evaluation evening everyMinute exclusion expanded
    explicit extendedLinear extraExtraExtraLarge extraExtraLarge extraLarge extraLargeTitle
    extraLargeTitle2 extraSmall faded failed failure false falseContent families family
    farewellSeconds fault featureCurrentlyRestricted few field fields file fileBytesMax fileURL
    filename files fill fillFromOptions filled finish first firstBaseline firstTextBaseline fit
    fitness fixed fixedLayout fixedSize flags flexPlace flexible folder folders font fontDesign
    fontScale fontSize fontWeight fontWidth footer footnote forClass foreground foregroundColor
    foregroundStyle forget form formIntersection formSymmetricDifference formUnion format
    formatDigitCountMax formattingContext forms found fraction fractionCompleted frame framer
    free frequentPushEnablementUpdates frequentPushesEnabled from full fullColor gap gaps
    gaugeForm gaugeStyle generatedClasses generation geometryGroup gesture
    getCurrentConfigurations getSnapshot getTimeline given glass glassEffect global gradient
    grape gray gray2 gray3 gray4 gray5 gray6 grayBlue grayBrown grayGreen grayscale greaterThan
    greaterThanOrEqualTo green grid gridCellAnchor gridCellColumns gridCellUnsizedAxes
    gridColumnAlignment gridPlace group groupIdentifier groupNameBytesMax groupedBackground
    groups growsAcross growsAlong growsHeight growsWidth guardian gym h1 h2 h3 h4 h5 h6 handled
    handler handlers hardLight has hasColours hasComplained hasContentMargins hasEnded hasHeight
    hasMonospacedDigits hasMore hasSmallCaps hasValue hasWidth hasWords hash hasher head header
    headerProminence headline headphonesConnected heavy height help hex hexes hidden hidesLabels
    hierarchical high highPriorityGesture home homeScreen horizontal horizontalSizeClass
    horizontalSpacing hours hoverEffect html hue hueRotation hybrid iOS iPhoneWidgetsOnMac icon
    iconOnly id identifier identity ignore ignoresSafeArea image imageBytesMax imageScale images
    immediate inProgress inactive increased index indigo info information informational inherit
    inherited inheriting inner innerReader inode insert inset insets integer intent
    intentClassName intentDescription intentHandlingStatus intentName intentResponse intentType
    intents interaction interactiveSpring interpolate interpolation intersection interval
    invalidatableContent invalidate invalidateConfigurationRecommendations invalidateRelevance
    invalidated isAccessibilityCategory isAccessibilitySize isActive isActivityFullscreen
    isAntialiased isArea isArray isBehind isButton isConnected isDark isDestructive isDisabled
    isDiscoverable isDivider isDone isEOFilled isEligibleForHandoff isEligibleForPrediction
    isEligibleForSearch isEmpty isEnabled isEqual isFilling isFirst isFocused isForeground
    isFramedAsSquare isGapBefore isGiven isHeader isHidden isHorizontal isImage isInputOver
    isItalic isLabelled isLate isLeft isLink isList isLuminanceReduced isMeant isMixed isModal
    isNew isOffered isOn isOneDay isOptional isPainted isPresented isPressed isPreview
    isQuestion isReconnecting isRedacted isRemoved isResizable isRow isSame isScaled isSearched
    isSelected isSpinner isSquare isStale isStaticText isStroke isSummaryElement isSystem
    isTemplate isTerminal isThere isTime isTinted isToggle isUnseen isUpper isWritten italic
    item itemCount itemCountBefore itemCountMax items jpegData json k kerning key keyboard
    keylineTint keys keywords kind kinds knob known label labelBefore labelHidden labelStyle
    labeledContentStyle labels labelsHidden labelsVisibility landscapeLeft landscapeRight
    language languages large largeTitle largest last lastBaseline lastID lastNumber
    lastTextBaseline layer layers layout layoutDirection layoutPriority leading
    leadingFirstTextBaseline leaf least left leftMirrored leftToRight legibilityWeight length
    lengths lessThan lessThanOrEqualTo let level levelOfDetail levels light lightBlue lightGray
    lighten lime line lineBytesMax lineCap lineCountMax lineJoin lineLimit lineSpacing lineWidth
    linear linearCapacity linearGradient lines link list listName listRowBackground
    listRowInsets listRowSeparatorLeading listStyle listValueCountMax live local locale
    localizedString localizedStringResource location lockScreen log loose low lowercase
    lowercaseSmallCaps luminanceToAlpha luminosity macOS made magnitudeSquared main makeBody
    manifest many margins mark markedValueLabels marks mask matchedGeometryEffect material
    maxHeight maxWidth maximum maximumDistance maximumValueLabel meant measure medium members
    message met middle milliseconds minHeight minLength minWidth mini minimal minimum
    minimumDistance minimumDuration minimumScaleFactor minimumValueLabel minmax mint minutes
    missed missing miter miterLimit mix mixed modifier moment monochrome monospace monospaced
    monospacedDigit morning move moved multicolor multilineTextAlignment multiply mutex name
    namePhonePad named namedValueCountMax names nanoseconds navigation navigationTitle navy near
    needsToContinueInForeground needsToContinueInForegroundError needsValue needsValueError
    negativePhrases networkUnavailable never next nextItem nil node nodes nonLinear none normal
    notEqualTo notRequired note notice now number numberPad numbers numbersAndPunctuation
    numeric numericFormat numericText object objects octal ofEntry ofPerform offset offsetBy
    onAppear onBackgroundURLSessionEvents onChange onChanged onDisappear onEnded
    onGeometryChange onLongPressGesture onOpen onOpenURL onPreferenceChange onTapGesture
    onWidgetsChanged once one opacity opaque opaqueSeparator openAppWhenRun openURL opened
    optionCountMax options optionsSource orange order original orphans os_log other others
    outcome outer outerRead outline outlineOfPicture output over overlay own ownClock ownFolders
    ownGaugeStyle ownProgressStyle padding paint paintColor paintPoint paintStops pair palette
    paper parameter parameterNames parameterSummary parameters params part parts path pause
    paused pending perform performAnswer periodic persistentIdentifier phonePad phrase phrases
    picture pictureBytesMax picturesBytesMax piece pieces pink pixelLength pixels place placed
    placeholder placeholderText plain plainText planned plate platform plusDarker plusLighter
    pngData pointer points policy portrait position post precision predictedEndLocation
    predictedEndTranslation predictionConfiguration preference preferredColorScheme prefix
    previewContext previewDevice previewDisplayName previewInterfaceOrientation previewLayout
    previewValue previews primary privacy privacySensitive private problem problems program
    programName progress progressForm progressViewStyle projectedValue prompt promptLabel
    promptsForUserConfiguration pronunciationHint properties property protocolViolation provided
    proxy public purple push pushHandler pushInfo pushToStartToken pushToStartTokenUpdates
    pushToken pushTokenDidChange pushTokenUpdates pushTokensDidChange put quaternary
    quaternaryFill quaternaryLabel quaternarySystemFill question queue quinary radial
    radialGradient radians radius radix range rawValue read readBytes reader readsColorScheme
    ready reason reasons recessed recommendationCountMax recommendations recorded recording rect
    rectangle red redacted redaction redactionReasons reduce refresh refuse refused register
    registered registration regular regularMaterial relative relevance relevanceProviders
    relevanceScore relevantMomentSeconds reloadAllControls reloadAllTimelines
    reloadAllTimelinesAndWait reloadAllTimelinesWithReceipts reloadControls reloadTimelines
    reloadTimelinesAndWait reloadTimelinesWithReceipts remove removeObject removed render
    renderingMode repeatCount repeatForever representation request requestBytesMax
    requestConfirmation requestDisambiguation requestToContinueInForeground requestValue
    requiresAuthentication requiresLocalDeviceAuthentication resignCurrent resizable resolve
    resolved resolvedConfigurations resource rest restartPerform result resultValueName results
    rgb right rightMirrored rightToLeft ring role root rotate rotation rotation3DEffect
    rotationEffect round rounded roundedRectangle roundedSquare row rowSpacing rows rule run
    runs sRGB sRGBLinear safeAreaInsets safeAreaPadding said sans saturation say scale scaleBy
    scaleEffect scaledToFill scaledToFit scenePhase scheduled scheme school score screen
    scrollContent scrollDisabled search searchKeywords second secondary secondaryBackground
    secondaryFill secondaryLabel secondarySystemBackground secondarySystemFill
    secondarySystemGroupedBackground seconds sectionFooters sectionHeaders sections sectors
    semaphore semibold send sensitive sentence separator serif serve set setAttribute
    setForeground setPlainly setRelevantShortcuts setShortcutSuggestions setValue sets shadow
    shape shapes share shared short shortTitle shortcut shortcutProviders shortcutRole
    shortcutTileColor shown showsWidgetContainerBackground showsWidgetLabel side sides sign
    simplified simultaneousGesture single situation size sizeCategory sizeThatFits
    sizeThatFitsLayout slash sleep slide slider small smallCaps smartStack smooth snappy
    snapshot snippet socket softLight solid sorted sound source sourceAtop spacer spacerLength
    spacers spacing specifier speechSpellsOutCharacters speed spellOut spinner spokenPhrase
    spring square stack stale staleDate standBy standard start startDate startLocation
    startRadius state status stepper stops storage strength stretch strikethrough string stroke
    strokeBorder strokedPath style styleDepthMax styled subheadline subtitle subtitleString
    success suggestedEntities suggestedInvocationPhrase summaryForms
    supplementalActivityFamilies supportedFamilies supportedMountingStyles supporting
    supportsMultipleWindows switch symbol symbolBefore symbolEffect symbolEffectsRemoved
    symbolRenderingMode symbolVariant symbolVariants symmetricDifference synchronize synonyms
    system systemAction systemBackground systemBlue systemBrown systemCyan systemExtraLarge
    systemExtraLargePortrait systemFill systemGray systemGray2 systemGray3 systemGray4
    systemGray5 systemGray6 systemGreen systemGroupedBackground systemImageName systemImageNamed
    systemIndigo systemLarge systemMedium systemMint systemName systemOrange systemPink
    systemPurple systemRed systemSmall systemTeal systemYellow table tag tail take takesTaps
    takingStandardOutput tap target task tasks teal tell template terminalColumns tertiary
    tertiaryBackground tertiaryFill tertiaryLabel tertiarySystemBackground tertiarySystemFill
    tertiarySystemGroupedBackground text textAlignment textCase textPlace textScale textStyled
    texts thick thickMaterial thin thinMaterial thousandths thread tight tile time timeZone
    timedOut timeline timer times tint tintColor title title2 title3 titleAndIcon titleOnly
    titles to today toggle toggleStyle token top topLeading topRight topTrailing trace track
    tracking tracks trailing trailingFirstTextBaseline traitChange traits transaction transform
    transformEnvironment transition translateBy translation tree trigger trim trimmedPath true
    trueContent truncatesMiddle truncationMode tvOS two type typeDisplayName
    typeDisplayRepresentation typed types ultraLight ultraThick ultraThickMaterial ultraThin
    ultraThinMaterial underline ungrouped union uniqueEntity units unitsStyle unknown unmodified
    unrecoverable unredacted unshown unsigned unspecified unsupported unsupportedTarget until
    untrustedSocket up upMirrored update updateAppShortcutParameters updateRelevantIntents
    updatesFrequently updating uppercase uppercaseSmallCaps url urlSession used
    userActionRequired userActivity userInfo usesIndexedCollation value values variable
    variables variations version vertical verticalSizeClass verticalSpacing vibrant view
    viewDepthMax viewNodeCountMax views visibility visible vocabularyIdentifier wait waiting
    waitingForGroups wallTime wanted warn warning warningCountMax warnings wasConnected
    wasRegistered watchOS webpageURL weight white who whole widget widgetAccentable
    widgetAccentedRenderingMode widgetChanges widgetConfigurationIntent widgetContentMargins
    widgetCurvesContent widgetFamily widgetKind widgetLabel widgetRenderingMode widgetTexture
    widgetURL widgets width with withAlphaComponent withAnimation withLock withLockIfAvailable
    withLockUnchecked withTransaction withoutTaps words work wrap wrappedValue write writer
    writingCount written x xLarge xSmall xxLarge xxxLarge y yellow zIndex zero
    """.split { $0 == " " || $0 == "\n" })
}
