// More of SwiftUI's names at the top level: a public type of CropKit with one of them would be ambiguous
// in every file that imports both. Only the names matter.

/// swiftui/angle
public struct Angle {}
/// swiftui/anchor
public struct Anchor<Value> {}
/// swiftui/canvas
public struct Canvas {}
/// swiftui/grid
public struct Grid {}
/// swiftui/alignment
public enum Alignment {}
/// swiftui/alignmentid
public enum AlignmentID {}
/// swiftui/animatable
public enum Animatable {}
/// swiftui/animation
public enum Animation {}
/// swiftui/angulargradient
public enum AngularGradient {}
/// swiftui/anygradient
public enum AnyGradient {}
/// swiftui/anylayout
public enum AnyLayout {}
/// swiftui/anyshape
public enum AnyShape {}
/// swiftui/anytransition
public enum AnyTransition {}
/// swiftui/anyview
public enum AnyView {}
/// swiftui/asyncimage
public enum AsyncImage {}
/// swiftui/axis
public enum Axis {}
/// swiftui/blendmode
public enum BlendMode {}
/// swiftui/buttonrole
public enum ButtonRole {}
/// swiftui/buttonstyle
public enum ButtonStyle {}
/// swiftui/capsule
public enum Capsule {}
/// swiftui/circle
public enum Circle {}
/// swiftui/color
public enum Color {}
/// swiftui/colorpicker
public enum ColorPicker {}
/// swiftui/colorscheme
public enum ColorScheme {}
/// swiftui/commandgroup
public enum CommandGroup {}
/// swiftui/commandmenu
public enum CommandMenu {}
/// swiftui/commands
public enum Commands {}
/// swiftui/containerrelativeshape
public enum ContainerRelativeShape {}
/// swiftui/contentmode
public enum ContentMode {}
/// swiftui/contenttransition
public enum ContentTransition {}
/// swiftui/controlgroup
public enum ControlGroup {}
/// swiftui/controlsize
public enum ControlSize {}
/// swiftui/coordinatespace
public enum CoordinateSpace {}
/// swiftui/datepicker
public enum DatePicker {}
/// swiftui/disclosuregroup
public enum DisclosureGroup {}
/// swiftui/divider
public enum Divider {}
/// swiftui/draggesture
public enum DragGesture {}
/// swiftui/dropinfo
public enum DropInfo {}
/// swiftui/dynamicproperty
public enum DynamicProperty {}
/// swiftui/dynamictypesize
public enum DynamicTypeSize {}
/// swiftui/edge
public enum Edge {}
/// swiftui/edgeinsets
public enum EdgeInsets {}
/// swiftui/editbutton
public enum EditButton {}
/// swiftui/editmode
public enum EditMode {}
/// swiftui/ellipse
public enum Ellipse {}
/// swiftui/ellipticalgradient
public enum EllipticalGradient {}
/// swiftui/environment
public enum Environment {}
/// swiftui/environmentkey
public enum EnvironmentKey {}
/// swiftui/environmentobject
public enum EnvironmentObject {}
/// swiftui/environmentvalues
public enum EnvironmentValues {}
/// swiftui/eventmodifiers
public enum EventModifiers {}
/// swiftui/fillstyle
public enum FillStyle {}
/// swiftui/focusstate
public enum FocusState {}
/// swiftui/focusedvalue
public enum FocusedValue {}
/// swiftui/font
public enum Font {}
/// swiftui/foreach
public enum ForEach {}
/// swiftui/form
public enum Form {}
/// swiftui/gauge
public enum Gauge {}
/// swiftui/geometryeffect
public enum GeometryEffect {}
/// swiftui/geometryproxy
public enum GeometryProxy {}
/// swiftui/geometryreader
public enum GeometryReader {}
/// swiftui/gesture
public enum Gesture {}
/// swiftui/gesturemask
public enum GestureMask {}
/// swiftui/gesturestate
public enum GestureState {}
/// swiftui/glass
public enum Glass {}
/// swiftui/gradient
public enum Gradient {}
/// swiftui/graphicscontext
public enum GraphicsContext {}
/// swiftui/griditem
public enum GridItem {}
/// swiftui/gridrow
public enum GridRow {}
/// swiftui/group
public enum Group {}
/// swiftui/groupbox
public enum GroupBox {}
/// swiftui/hstack
public enum HStack {}
/// swiftui/horizontalalignment
public enum HorizontalAlignment {}
/// swiftui/horizontaledge
public enum HorizontalEdge {}
/// swiftui/imagepaint
public enum ImagePaint {}
/// swiftui/imagerenderer
public enum ImageRenderer {}
/// swiftui/insettableshape
public enum InsettableShape {}
/// swiftui/keyequivalent
public enum KeyEquivalent {}
/// swiftui/keypress
public enum KeyPress {}
/// swiftui/keyboardshortcut
public enum KeyboardShortcut {}
/// swiftui/keyframetrack
public enum KeyframeTrack {}
/// swiftui/labelstyle
public enum LabelStyle {}
/// swiftui/labeledcontent
public enum LabeledContent {}
/// swiftui/layout
public enum Layout {}
/// swiftui/layoutproperties
public enum LayoutProperties {}
/// swiftui/layoutsubview
public enum LayoutSubview {}
/// swiftui/lazyhgrid
public enum LazyHGrid {}
/// swiftui/lazyhstack
public enum LazyHStack {}
/// swiftui/lazyvgrid
public enum LazyVGrid {}
/// swiftui/lazyvstack
public enum LazyVStack {}
/// swiftui/lineargradient
public enum LinearGradient {}
/// swiftui/link
public enum Link {}
/// swiftui/list
public enum List {}
/// swiftui/localizedstringkey
public enum LocalizedStringKey {}
/// swiftui/longpressgesture
public enum LongPressGesture {}
/// swiftui/magnificationgesture
public enum MagnificationGesture {}
/// swiftui/magnifygesture
public enum MagnifyGesture {}
/// swiftui/material
public enum Material {}
/// swiftui/menu
public enum Menu {}
/// swiftui/meshgradient
public enum MeshGradient {}
/// swiftui/multidatepicker
public enum MultiDatePicker {}
/// swiftui/namespace
public enum Namespace {}
/// swiftui/navigationlink
public enum NavigationLink {}
/// swiftui/navigationpath
public enum NavigationPath {}
/// swiftui/navigationsplitview
public enum NavigationSplitView {}
/// swiftui/navigationstack
public enum NavigationStack {}
/// swiftui/navigationview
public enum NavigationView {}
/// swiftui/observedobject
public enum ObservedObject {}
/// swiftui/offsetshape
public enum OffsetShape {}
/// swiftui/openurlaction
public enum OpenURLAction {}
/// swiftui/path
public enum Path {}
/// swiftui/phaseanimator
public enum PhaseAnimator {}
/// swiftui/picker
public enum Picker {}
/// swiftui/pinnedscrollableviews
public enum PinnedScrollableViews {}
/// swiftui/placeholder
public enum Placeholder {}
/// swiftui/preferencekey
public enum PreferenceKey {}
/// swiftui/presentationmode
public enum PresentationMode {}
/// swiftui/previewprovider
public enum PreviewProvider {}
/// swiftui/progressview
public enum ProgressView {}
/// swiftui/projectiontransform
public enum ProjectionTransform {}
/// swiftui/prominence
public enum Prominence {}
/// swiftui/proposedviewsize
public enum ProposedViewSize {}
/// swiftui/radialgradient
public enum RadialGradient {}
/// swiftui/rectangle
public enum Rectangle {}
/// swiftui/redactionreasons
public enum RedactionReasons {}
/// swiftui/refreshaction
public enum RefreshAction {}
/// swiftui/rotategesture
public enum RotateGesture {}
/// swiftui/rotatedshape
public enum RotatedShape {}
/// swiftui/rotationgesture
public enum RotationGesture {}
/// swiftui/roundedcornerstyle
public enum RoundedCornerStyle {}
/// swiftui/roundedrectangle
public enum RoundedRectangle {}
/// swiftui/safearearegions
public enum SafeAreaRegions {}
/// swiftui/scaledmetric
public enum ScaledMetric {}
/// swiftui/scaledshape
public enum ScaledShape {}
/// swiftui/scenebuilder
public enum SceneBuilder {}
/// swiftui/scenephase
public enum ScenePhase {}
/// swiftui/scenestorage
public enum SceneStorage {}
/// swiftui/scrollposition
public enum ScrollPosition {}
/// swiftui/scrollview
public enum ScrollView {}
/// swiftui/scrollviewproxy
public enum ScrollViewProxy {}
/// swiftui/section
public enum Section {}
/// swiftui/securefield
public enum SecureField {}
/// swiftui/sensoryfeedback
public enum SensoryFeedback {}
/// swiftui/shader
public enum Shader {}
/// swiftui/shadowstyle
public enum ShadowStyle {}
/// swiftui/shape
public enum Shape {}
/// swiftui/shapestyle
public enum ShapeStyle {}
/// swiftui/sharelink
public enum ShareLink {}
/// swiftui/simultaneousgesture
public enum SimultaneousGesture {}
/// swiftui/slider
public enum Slider {}
/// swiftui/spacer
public enum Spacer {}
/// swiftui/spatialtapgesture
public enum SpatialTapGesture {}
/// swiftui/spring
public enum Spring {}
/// swiftui/stepper
public enum Stepper {}
/// swiftui/strokestyle
public enum StrokeStyle {}
/// swiftui/submitlabel
public enum SubmitLabel {}
/// swiftui/subview
public enum Subview {}
/// swiftui/symbolrenderingmode
public enum SymbolRenderingMode {}
/// swiftui/tab
public enum Tab {}
/// swiftui/table
public enum Table {}
/// swiftui/tablecolumn
public enum TableColumn {}
/// swiftui/tapgesture
public enum TapGesture {}
/// swiftui/textalignment
public enum TextAlignment {}
/// swiftui/texteditor
public enum TextEditor {}
/// swiftui/textfield
public enum TextField {}
/// swiftui/textrenderer
public enum TextRenderer {}
/// swiftui/timelineview
public enum TimelineView {}
/// swiftui/toggle
public enum Toggle {}
/// swiftui/toolbaritem
public enum ToolbarItem {}
/// swiftui/transaction
public enum Transaction {}
/// swiftui/transformedshape
public enum TransformedShape {}
/// swiftui/transition
public enum Transition {}
/// swiftui/unevenroundedrectangle
public enum UnevenRoundedRectangle {}
/// swiftui/unitcurve
public enum UnitCurve {}
/// swiftui/unitpoint
public enum UnitPoint {}
/// swiftui/verticalalignment
public enum VerticalAlignment {}
/// swiftui/verticaledge
public enum VerticalEdge {}
/// swiftui/viewmodifier
public enum ViewModifier {}
/// swiftui/viewspacing
public enum ViewSpacing {}
/// swiftui/viewthatfits
public enum ViewThatFits {}
/// swiftui/visibility
public enum Visibility {}
/// swiftui/window
public enum Window {}
/// swiftui/windowstyle
public enum WindowStyle {}
/// swiftui/zstack
public enum ZStack {}
